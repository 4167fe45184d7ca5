// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import org.jspecify.annotations.Nullable;

/** The operations of DATA packets and what each needs; nobody else switches on an opcode to learn a layout. */
public enum Opcode {
    WRITE(1, WriteHeaderFlyweight.LENGTH, Property.PLACES, Property.CARRIES_PAYLOAD),
    WRITE_IMM(
            2,
            WriteHeaderFlyweight.LENGTH_IMMEDIATE,
            Property.PLACES,
            Property.CARRIES_PAYLOAD,
            Property.CONSUMES_RECEIVE,
            Property.CARRIES_IMMEDIATE),
    SEND(3, SendHeaderFlyweight.LENGTH, Property.CARRIES_PAYLOAD, Property.CONSUMES_RECEIVE),
    SEND_IMM(
            4,
            SendHeaderFlyweight.LENGTH_IMMEDIATE,
            Property.CARRIES_PAYLOAD,
            Property.CONSUMES_RECEIVE,
            Property.CARRIES_IMMEDIATE),
    SEND_INV(
            5,
            SendHeaderFlyweight.LENGTH_IMMEDIATE,
            Property.CARRIES_PAYLOAD,
            Property.CONSUMES_RECEIVE,
            Property.CARRIES_IMMEDIATE),
    READ_REQUEST(6, 16),
    READ_RESPONSE(7, ReadResponseHeaderFlyweight.LENGTH, Property.CARRIES_PAYLOAD, Property.RESPONDS),
    COMPARE_SWAP(8, 32),
    FETCH_ADD(9, 24),
    ATOMIC_RESPONSE(10, 8, Property.RESPONDS),
    ERROR(11, ErrorHeaderFlyweight.LENGTH, Property.RESPONDS);

    /** Largest operation header in bytes. */
    public static final int HEADER_LENGTH_MAX = 32;

    private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[12];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final int headerLength;
    private final int properties;

    Opcode(int code, int headerLength, int... properties) {
        this.code = code;
        this.headerLength = headerLength;
        int mask = 0;
        for (int property : properties) {
            mask |= property;
        }
        this.properties = mask;
    }

    public int code() {
        return code;
    }

    /** Bytes of the operation header that follows the DATA header. */
    public int headerLength() {
        return headerLength;
    }

    /** Whether every packet names the remote address of its own bytes. */
    public boolean placesByAddress() {
        return (properties & Property.PLACES) != 0;
    }

    public boolean carriesPayload() {
        return (properties & Property.CARRIES_PAYLOAD) != 0;
    }

    /** Whether a whole message consumes one posted receive. */
    public boolean consumesReceive() {
        return (properties & Property.CONSUMES_RECEIVE) != 0;
    }

    /** Whether an immediate, or a key to invalidate, follows the rest of the operation header. */
    public boolean carriesImmediate() {
        return (properties & Property.CARRIES_IMMEDIATE) != 0;
    }

    /** Whether the packet answers a request: its message sequence is the request's. */
    public boolean isResponse() {
        return (properties & Property.RESPONDS) != 0;
    }

    /** The opcode of a code, or null if there is none. */
    public static @Nullable Opcode of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }

    private static final class Property {
        static final int PLACES = 1;
        static final int CARRIES_PAYLOAD = 1 << 1;
        static final int CONSUMES_RECEIVE = 1 << 2;
        static final int CARRIES_IMMEDIATE = 1 << 3;
        static final int RESPONDS = 1 << 4;

        private Property() {}
    }
}
