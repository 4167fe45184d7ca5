// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** A view on a header at some place in a buffer: big-endian accessors that trust the caller to have checked the length. */
abstract class HeaderFlyweight {
    private static final ByteOrder NETWORK = ByteOrder.BIG_ENDIAN;

    private UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private int offset;

    /** Looks at the header that starts at {@code headerOffset}; the caller has checked that it fits. */
    public final void wrap(UnsafeBuffer packet, int headerOffset) {
        buffer = packet;
        offset = headerOffset;
    }

    final int uint8(int at) {
        return buffer.getByte(offset + at) & 0xff;
    }

    final void uint8(int at, int value) {
        buffer.putByte(offset + at, (byte) value);
    }

    final int uint16(int at) {
        return buffer.getShort(offset + at, NETWORK) & 0xffff;
    }

    final void uint16(int at, int value) {
        buffer.putShort(offset + at, (short) value, NETWORK);
    }

    final int int32(int at) {
        return buffer.getInt(offset + at, NETWORK);
    }

    final void int32(int at, int value) {
        buffer.putInt(offset + at, value, NETWORK);
    }

    final long int64(int at) {
        return buffer.getLong(offset + at, NETWORK);
    }

    final void int64(int at, long value) {
        buffer.putLong(offset + at, value, NETWORK);
    }
}
