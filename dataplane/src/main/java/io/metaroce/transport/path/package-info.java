// SPDX-License-Identifier: Apache-2.0
/**
 * Paths: identity, sequence, health, round-trip time, and the choice between them.
 *
 * <p>Purpose: everything that is true of one way through the fabric. Threads: the connection's. May depend on: wire,
 * congestion. Must not: know messages or memory.
 */
@NullMarked
package io.metaroce.transport.path;

import org.jspecify.annotations.NullMarked;
