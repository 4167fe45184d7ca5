// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/** The packet types of MOP/1; only {@link #DATA} is sequenced. The code stands in the low half of the first byte. */
public enum PacketType {
    DATA(0),
    ACK(1),
    PROBE(2),
    CREDIT(3),
    CREDIT_REQUEST(4),
    PLANE_STATUS(5);

    private static final PacketType[] BY_CODE = values();

    private final int code;

    PacketType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    static boolean isKnown(int code) {
        return code >= 0 && code < BY_CODE.length;
    }

    /** The type of a code that {@link #isKnown}. */
    static PacketType of(int code) {
        return BY_CODE[code];
    }
}
