// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

/** Which way a packet went at the interface that saw it: bits 0-1 of pcapng's {@code epb_flags}, in that order. */
public enum PacketDirection {
    UNKNOWN,
    INBOUND,
    OUTBOUND;

    private static final PacketDirection[] ROWS = values();

    /** The direction of a flags word; the reserved value 3 is unknown. */
    static PacketDirection of(int flags) {
        int bits = flags & 3;
        return bits == 3 ? UNKNOWN : ROWS[bits];
    }
}
