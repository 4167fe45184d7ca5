// SPDX-License-Identifier: Apache-2.0
/**
 * The packet port: one small interface that carries sockets, DPDK, the simulated fabric and decorators of them.
 *
 * <p>Purpose: move bursts of packets between a lane and a device. Threads: a port belongs to one lane and is called by
 * that lane's thread only, except for its counters, which anyone may read. May depend on: nothing of ours. Must not:
 * know the transport, keep policy, or hold on to a burst after a call returns.
 */
@NullMarked
package io.metaroce.port;

import org.jspecify.annotations.NullMarked;
