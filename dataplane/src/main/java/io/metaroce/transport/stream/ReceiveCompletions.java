// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SlotRing;
import io.metaroce.wire.Opcode;

/**
 * Receives that are consumed and wait for room in the completion queue. Never more than posted receives, so that a slow
 * reader of completions holds back its own receives and nothing else.
 */
final class ReceiveCompletions {
    private final SlotRing receiveRing;
    private final SlotRing completions;
    private final int queuePairNumber;
    private final long[] lengths;
    private final int[] immediates;
    private final boolean[] solicited;
    private final Opcode[] opcodes;
    private final ReceiveSlot receive = new ReceiveSlot();
    private final CompletionSlot completion = new CompletionSlot();
    private final StreamTally tally;
    /** Ring index of the next consumed receive; those from the ring's consumer index up to it wait. */
    private long consumed;

    private long failedIndex = -1;
    private CompletionStatus failedStatus = CompletionStatus.FLUSHED;

    ReceiveCompletions(StreamSettings settings, StreamTally tally) {
        this.tally = tally;
        receiveRing = settings.receiveRing();
        completions = settings.receiveCompletions();
        queuePairNumber = settings.queuePairNumber();
        int capacity = receiveRing.capacity();
        lengths = new long[capacity];
        immediates = new int[capacity];
        solicited = new boolean[capacity];
        opcodes = new Opcode[capacity];
        java.util.Arrays.fill(opcodes, Opcode.SEND);
    }

    /** The next posted receive is consumed by a whole message. */
    void add(Opcode opcode, long length, int immediate, boolean isSolicited) {
        int row = (int) consumed & (lengths.length - 1);
        opcodes[row] = opcode;
        lengths[row] = length;
        immediates[row] = immediate;
        solicited[row] = isSolicited;
        consumed++;
    }

    /** A posted receive will complete with an error instead of being flushed. */
    void failReceive(long index, CompletionStatus status) {
        failedIndex = index;
        failedStatus = status;
    }

    int deliver(boolean isFlushing) {
        int delivered = 0;
        while (isDeliverable(isFlushing) && completions.canProduce()) {
            long index = receiveRing.consumed();
            receiveRing.slotAt(index, receive);
            completions.claim(completion);
            completion.id(receive.id());
            completion.queuePairNumber(queuePairNumber);
            if (index < consumed) {
                writeSuccess((int) index & (lengths.length - 1));
            } else {
                // MOP-STR-23
                writeFailure(index == failedIndex ? failedStatus : CompletionStatus.FLUSHED);
            }
            // MOP-STR-14: a release: whoever reads the slot sees the bytes
            completions.publish();
            receiveRing.release();
            delivered++;
        }
        return delivered;
    }

    boolean isDrained(boolean isFlushing) {
        return !isDeliverable(isFlushing);
    }

    private boolean isDeliverable(boolean isFlushing) {
        return receiveRing.consumed() < consumed || (isFlushing && receiveRing.available() > 0);
    }

    private void writeSuccess(int row) {
        Opcode opcode = opcodes[row];
        completion.status(CompletionStatus.SUCCESS);
        tally.onCompletion(CompletionStatus.SUCCESS);
        completion.length(lengths[row]);
        completion.immediate(immediates[row]);
        int flags = opcode.carriesImmediate() ? CompletionSlot.FLAG_IMMEDIATE : 0;
        completion.flags(solicited[row] ? flags | CompletionSlot.FLAG_SOLICITED : flags);
        completion.opcode(opcode.placesByAddress() ? CompletionOpcode.RECEIVE_RDMA_WITH_IMM : CompletionOpcode.RECEIVE);
    }

    private void writeFailure(CompletionStatus status) {
        completion.status(status);
        tally.onCompletion(status);
        completion.length(0);
        completion.immediate(0);
        completion.flags(0);
        completion.opcode(CompletionOpcode.RECEIVE);
        consumed = Math.max(consumed, receiveRing.consumed() + 1);
    }
}
