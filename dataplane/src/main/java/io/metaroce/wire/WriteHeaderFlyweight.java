// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * The operation header of WRITE and WRITE_IMM.
 *
 * <pre>
 *   | remote address of this packet's first byte, 64 bits                |   0
 *   | rkey                                                               |   8
 *   | message length                                                     |  12
 *   | receive number              (WRITE_IMM)                            |  16
 *   | immediate                   (WRITE_IMM, in every packet)           |  20
 * </pre>
 */
public final class WriteHeaderFlyweight extends HeaderFlyweight {
    public static final int LENGTH = 16;
    public static final int LENGTH_IMMEDIATE = 24;

    static final int REMOTE_ADDRESS_OFFSET = 0;
    static final int RKEY_OFFSET = 8;
    static final int MESSAGE_LENGTH_OFFSET = 12;
    static final int RECEIVE_NUMBER_OFFSET = 16;
    static final int IMMEDIATE_OFFSET = 20;

    public long remoteAddress() {
        return int64(REMOTE_ADDRESS_OFFSET);
    }

    public void remoteAddress(long address) {
        int64(REMOTE_ADDRESS_OFFSET, address);
    }

    public int rkey() {
        return int32(RKEY_OFFSET);
    }

    public void rkey(int rkey) {
        int32(RKEY_OFFSET, rkey);
    }

    /** Bytes of the whole message, unsigned. */
    public long messageLength() {
        return Integer.toUnsignedLong(int32(MESSAGE_LENGTH_OFFSET));
    }

    public void messageLength(long bytes) {
        int32(MESSAGE_LENGTH_OFFSET, (int) bytes);
    }

    public int receiveNumber() {
        return int32(RECEIVE_NUMBER_OFFSET);
    }

    public void receiveNumber(int number) {
        int32(RECEIVE_NUMBER_OFFSET, number);
    }

    public int immediate() {
        return int32(IMMEDIATE_OFFSET);
    }

    public void immediate(int immediate) {
        int32(IMMEDIATE_OFFSET, immediate);
    }
}
