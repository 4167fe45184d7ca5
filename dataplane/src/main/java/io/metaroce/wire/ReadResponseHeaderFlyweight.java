// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * The operation header of READ_RESPONSE; the message sequence of the DATA header names the request, and so the buffer.
 *
 * <pre>
 *   | message offset of this packet's first byte                         |   0
 *   | message length                                                     |   4
 * </pre>
 */
public final class ReadResponseHeaderFlyweight extends HeaderFlyweight {
    public static final int LENGTH = 8;

    static final int MESSAGE_OFFSET_OFFSET = 0;
    static final int MESSAGE_LENGTH_OFFSET = 4;

    /** Bytes from the start of the response, unsigned. */
    public long messageOffset() {
        return Integer.toUnsignedLong(int32(MESSAGE_OFFSET_OFFSET));
    }

    public void messageOffset(long bytes) {
        int32(MESSAGE_OFFSET_OFFSET, (int) bytes);
    }

    /** Bytes of the whole response, unsigned. */
    public long messageLength() {
        return Integer.toUnsignedLong(int32(MESSAGE_LENGTH_OFFSET));
    }

    public void messageLength(long bytes) {
        int32(MESSAGE_LENGTH_OFFSET, (int) bytes);
    }
}
