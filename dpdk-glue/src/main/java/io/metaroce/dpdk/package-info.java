// SPDX-License-Identifier: Apache-2.0
/**
 * The DPDK port: MOP in whole Ethernet frames through any poll mode driver of DPDK, real or virtual.
 *
 * <p>Purpose: a port of equal rank to sockets; to a lane both carry datagrams, here the headers below UDP's payload are
 * written and judged in the port itself, by the room link. Threads: a port belongs to one lane; EAL is started once a
 * process, by whoever opens the first port, on a thread of its own. May depend on: port, link, agrona, jnr-ffi. Must not: bind
 * a native function with more than five parameters or with anything but integers, know the transport, let a wrong argument
 * reach DPDK (the shim checks them all), or try EAL a second time.
 */
@NullMarked
package io.metaroce.dpdk;

import org.jspecify.annotations.NullMarked;
