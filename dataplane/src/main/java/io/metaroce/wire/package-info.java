// SPDX-License-Identifier: Apache-2.0
/**
 * MOP bytes to fields and back: flyweights over one table of layouts, the parser, the checksum.
 *
 * <p>Purpose: the only room that knows where a field stands, and, in {@link io.metaroce.wire.PacketParser}, the only reader
 * of untrusted bytes. Threads: none of its own; every object has one user. May depend on: nothing of ours. Must not: keep
 * state between packets, allocate after construction, or read a clock.
 */
@NullMarked
package io.metaroce.wire;

import org.jspecify.annotations.NullMarked;
