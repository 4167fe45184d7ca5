// SPDX-License-Identifier: Apache-2.0
/**
 * Links, queues, switches and hosts in virtual time: one event queue, no threads, one seed for everything.
 *
 * <p>Purpose: measure the very transport of the daemon on fabrics of any size. A packet is a preallocated record outside the
 * heap with its real headers; payload is counted. Threads: one a fabric; fabrics share nothing. May depend on: dataplane,
 * harness.sim for seeded numbers. Must not: read a clock, use unordered collections, allocate for each hop, or decide
 * anything that a transport decides.
 */
@NullMarked
package io.metaroce.harness.fabric;

import org.jspecify.annotations.NullMarked;
