// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * The operation header of SEND, SEND_IMM and SEND_INV.
 *
 * <pre>
 *   | receive number: which posted receive of the stream                 |   0
 *   | message offset of this packet's first byte                         |   4
 *   | message length                                                     |   8
 *   | immediate (SEND_IMM) or rkey to invalidate (SEND_INV)              |  12
 * </pre>
 */
public final class SendHeaderFlyweight extends HeaderFlyweight {
    public static final int LENGTH = 12;
    public static final int LENGTH_IMMEDIATE = 16;

    static final int RECEIVE_NUMBER_OFFSET = 0;
    static final int MESSAGE_OFFSET_OFFSET = 4;
    static final int MESSAGE_LENGTH_OFFSET = 8;
    static final int IMMEDIATE_OFFSET = 12;

    public int receiveNumber() {
        return int32(RECEIVE_NUMBER_OFFSET);
    }

    public void receiveNumber(int number) {
        int32(RECEIVE_NUMBER_OFFSET, number);
    }

    /** Bytes from the start of the message, unsigned. */
    public long messageOffset() {
        return Integer.toUnsignedLong(int32(MESSAGE_OFFSET_OFFSET));
    }

    public void messageOffset(long bytes) {
        int32(MESSAGE_OFFSET_OFFSET, (int) bytes);
    }

    /** Bytes of the whole message, unsigned. */
    public long messageLength() {
        return Integer.toUnsignedLong(int32(MESSAGE_LENGTH_OFFSET));
    }

    public void messageLength(long bytes) {
        int32(MESSAGE_LENGTH_OFFSET, (int) bytes);
    }

    public int immediate() {
        return int32(IMMEDIATE_OFFSET);
    }

    public void immediate(int immediate) {
        int32(IMMEDIATE_OFFSET, immediate);
    }
}
