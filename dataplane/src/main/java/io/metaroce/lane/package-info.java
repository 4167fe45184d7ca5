// SPDX-License-Identifier: Apache-2.0
/**
 * The lane: the duty cycle that moves packets between ports and connections, and the rings by which others talk to it.
 *
 * <p>Purpose: own one queue of each port and a disjoint set of connections, and give each its turn. Threads: everything but
 * {@link io.metaroce.lane.LaneControl}, {@link io.metaroce.lane.LaneRunner} and the counters belongs to the one thread that
 * calls {@link io.metaroce.lane.Lane#doWork}. May depend on: transport.connection, transport.congestion, memory, queue,
 * counters, port, wire (the parser), Disruptor. Must not: read a clock (except LaneRunner), allocate, block, or log in the
 * duty cycle.
 */
@NullMarked
package io.metaroce.lane;

import org.jspecify.annotations.NullMarked;
