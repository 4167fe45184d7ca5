// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

/**
 * A completion.
 *
 * <pre>
 *    0 work request id:64      8 byte length:32       12 queue pair number:32
 *   16 immediate:32           20 status:8   21 opcode:8   22 flags:8 (1 immediate valid, 2 solicited)   23 reserved to 64
 * </pre>
 */
public final class CompletionSlot extends Slot {
    public static final int FLAG_IMMEDIATE = 1;
    public static final int FLAG_SOLICITED = 1 << 1;

    private static final int ID_OFFSET = 0;
    private static final int LENGTH_OFFSET = 8;
    private static final int QUEUE_PAIR_OFFSET = 12;
    private static final int IMMEDIATE_OFFSET = 16;
    private static final int STATUS_OFFSET = 20;
    private static final int OPCODE_OFFSET = 21;
    private static final int FLAGS_OFFSET = 22;

    public long id() {
        return int64(ID_OFFSET);
    }

    public void id(long id) {
        int64(ID_OFFSET, id);
    }

    /** Bytes of the message, unsigned 32 bit; meaningful on success. */
    public long length() {
        return Integer.toUnsignedLong(int32(LENGTH_OFFSET));
    }

    public void length(long bytes) {
        int32(LENGTH_OFFSET, (int) bytes);
    }

    public int queuePairNumber() {
        return int32(QUEUE_PAIR_OFFSET);
    }

    public void queuePairNumber(int number) {
        int32(QUEUE_PAIR_OFFSET, number);
    }

    /** Meaningful with {@link #FLAG_IMMEDIATE}. */
    public int immediate() {
        return int32(IMMEDIATE_OFFSET);
    }

    public void immediate(int immediate) {
        int32(IMMEDIATE_OFFSET, immediate);
    }

    public CompletionStatus status() {
        return CompletionStatus.of(uint8(STATUS_OFFSET));
    }

    public void status(CompletionStatus status) {
        uint8(STATUS_OFFSET, status.code());
    }

    public CompletionOpcode opcode() {
        return CompletionOpcode.of(uint8(OPCODE_OFFSET));
    }

    public void opcode(CompletionOpcode opcode) {
        uint8(OPCODE_OFFSET, opcode.ordinal());
    }

    public int flags() {
        return uint8(FLAGS_OFFSET);
    }

    public void flags(int flags) {
        uint8(FLAGS_OFFSET, flags);
    }
}
