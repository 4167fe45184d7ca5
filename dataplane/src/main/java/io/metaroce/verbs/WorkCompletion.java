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
