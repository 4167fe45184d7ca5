// SPDX-License-Identifier: Apache-2.0
/**
 * Ethernet, VLAN tags, IPv4, IPv6 and UDP around MOP packets: parsed, built, re-marked.
 *
 * <p>Purpose: between a lane, or a capture, and frames as they stand on the wire; {@link io.metaroce.link.LinkParser} is the
 * only reader of these headers and checks them once and completely. Threads: none of its own; every object has one user.
 * May depend on: wire, port. Must not: know MOP's fields, keep state between frames, allocate after construction, or read
 * a clock.
 */
@NullMarked
package io.metaroce.link;

import org.jspecify.annotations.NullMarked;
