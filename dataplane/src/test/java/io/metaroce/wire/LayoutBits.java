// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/** Fields read and written bit by bit by the table alone, as slowly and plainly as possible. */
final class LayoutBits {
    private LayoutBits() {}

    static long get(byte[] packet, int headerOffset, LayoutField field) {
        long value = 0;
        for (int bit = 0; bit < field.bits(); bit++) {
            int at = headerOffset * Byte.SIZE + field.bitOffset() + bit;
            value = value << 1 | (packet[at / Byte.SIZE] >>> (7 - at % Byte.SIZE) & 1);
        }
        return value;
    }

    static void put(byte[] packet, int headerOffset, LayoutField field, long value) {
        for (int bit = 0; bit < field.bits(); bit++) {
            int at = headerOffset * Byte.SIZE + field.bitOffset() + bit;
            long wanted = value >>> (field.bits() - 1 - bit) & 1;
            int mask = 1 << (7 - at % Byte.SIZE);
            int old = packet[at / Byte.SIZE];
            packet[at / Byte.SIZE] = (byte) (wanted == 1 ? old | mask : old & ~mask);
        }
    }
}
