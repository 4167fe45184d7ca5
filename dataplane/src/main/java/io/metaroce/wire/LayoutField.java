// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * One row of {@link Layout}.
 *
 * @param name as the specification writes it
 * @param bitOffset from the header's first bit, which is the most significant one of its first byte
 * @param bits width
 */
public record LayoutField(String name, int bitOffset, int bits) {
    private static final String RESERVED = "reserved";

    static LayoutField field(String name, int bits) {
        return new LayoutField(name, 0, bits);
    }

    static LayoutField reserved(int bits) {
        return field(RESERVED, bits);
    }

    LayoutField at(int offset) {
        return new LayoutField(name, offset, bits);
    }

    /** Sent as 0 and ignored on receipt. */
    public boolean isReserved() {
        return name.equals(RESERVED);
    }
}
