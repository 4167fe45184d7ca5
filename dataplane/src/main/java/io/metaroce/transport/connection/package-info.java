// SPDX-License-Identifier: Apache-2.0
/**
 * The connection: the only part of the transport that a lane, the simulator or a replay names.
 *
 * <p>Purpose: one host pair's paths and streams as a value machine: packets, work requests and times in; packets and
 * completions out. Threads: all calls from the owner's thread. May depend on: the pure rooms and its siblings. Must not:
 * read a clock, draw randomness, allocate after construction, block, or log.
 */
@NullMarked
package io.metaroce.transport.connection;

import org.jspecify.annotations.NullMarked;
