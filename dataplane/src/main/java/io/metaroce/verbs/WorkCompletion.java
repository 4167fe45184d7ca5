// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;

/** How one work request ended. A reused copy of a completion queue's entry. */
public final class WorkCompletion {
    private long id;
    private CompletionStatus status = CompletionStatus.GENERAL_ERROR;
    private CompletionOpcode opcode = CompletionOpcode.SEND;
    private long length;
    private int immediate;
    private int flags;
    private int queuePairNumber;

    void copyFrom(CompletionSlot slot) {
        id = slot.id();
        status = slot.status();
        opcode = slot.opcode();
        length = slot.length();
        immediate = slot.immediate();
        flags = slot.flags();
        queuePairNumber = slot.queuePairNumber();
    }

    void copyFrom(WorkCompletion other) {
        id = other.id;
        status = other.status;
        opcode = other.opcode;
        length = other.length;
        immediate = other.immediate;
        flags = other.flags;
        queuePairNumber = other.queuePairNumber;
    }

    void flushed(long requestId, CompletionOpcode requestOpcode, int number) {
        id = requestId;
        status = CompletionStatus.FLUSHED;
        opcode = requestOpcode;
        length = 0;
        immediate = 0;
        flags = 0;
        queuePairNumber = number;
    }

    /** The number that the work request carried. */
    public long id() {
        return id;
    }

    public CompletionStatus status() {
        return status;
    }

    public boolean isSuccess() {
        return status == CompletionStatus.SUCCESS;
    }

    public CompletionOpcode opcode() {
        return opcode;
    }

    /** Bytes of the message; meaningful on success. */
    public long length() {
        return length;
    }

    public boolean hasImmediate() {
        return (flags & CompletionSlot.FLAG_IMMEDIATE) != 0;
    }

    /** Meaningful if {@link #hasImmediate}. */
    public int immediate() {
        return immediate;
    }

    public int queuePairNumber() {
        return queuePairNumber;
    }
}
