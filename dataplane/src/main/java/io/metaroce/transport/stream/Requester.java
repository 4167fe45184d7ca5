// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.memory.MemoryCheck;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.Syndrome;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a stream: work requests become messages, messages are cut into packets in order, and complete in
 * order once every packet is acknowledged. A failed message completes only when nothing of it is in flight, since until
 * then its memory may still be read.
 *
 * <pre>
 *   completed            cutting               posted
 *      | all cut            | partly cut, or not   | not yet taken from the ring
 * </pre>
 */
public final class Requester {
    private final SlotRing sendRing;
    private final SlotRing completions;
    private final MemoryRegionTable memory;
    private final int queuePairNumber;
    private final int protectionDomain;
    private final OutboundMessages messages;
    private final OutboundPacketWriter writer;
    private final WorkRequestSlot request = new WorkRequestSlot();
    private final CompletionSlot completion = new CompletionSlot();
    private final StreamTally tally;
    private int completed;
    private int cutting;
    private int posted;
    private int receiveNumber;
    private int creditLimit;
    private boolean isInError;
    private boolean isAbandoned;
    private long waitingBytes;

    Requester(StreamSettings settings, int messageWindow, MemoryRegionTable memory, StreamTally tally) {
        this.tally = tally;
        this.sendRing = settings.sendRing();
        this.completions = settings.sendCompletions();
        this.memory = memory;
        this.queuePairNumber = settings.queuePairNumber();
        this.protectionDomain = settings.protectionDomain();
        this.messages = new OutboundMessages(messageWindow);
        this.writer = new OutboundPacketWriter(messages, memory, settings.protectionDomain());
    }

    /** Takes posted work requests while the message window has room; returns how many. */
    public int onWorkRequests(int limit) {
        int taken = 0;
        // One row stays free, so that a full window is told from an empty one (MOP-STR).
        // MOP-SEQ-10
        while (taken < limit && posted - completed < messages.window() - 1 && sendRing.available() > 0) {
            sendRing.peek(request);
            append();
            sendRing.release();
            taken++;
        }
        return taken;
    }

    /** Whether a packet can be cut now. */
    public boolean hasPacket() {
        return cutting != posted
                && messages.statuses[messages.row(cutting)] == CompletionStatus.SUCCESS
                && !isBlockedByCredit();
    }

    /** Whether the next message waits for a posted receive. */
    public boolean isBlockedByCredit() {
        if (cutting == posted) {
            return false;
        }
        int row = messages.row(cutting);
        // MOP-STR-31
        return messages.opcodes[row].consumesReceive()
                && messages.statuses[row] == CompletionStatus.SUCCESS
                && messages.cut[row] == 0
                && receiveNumber - creditLimit >= 0;
    }

    /** The message sequence of the packet that {@link #cutPacket} will cut. */
    public int cuttingMessage() {
        return cutting;
    }

    /** The index within its message of the packet that {@link #cutPacket} will cut. */
    public int nextPacket() {
        return messages.cut[messages.row(cutting)];
    }

    /**
     * Cuts the next packet; only when there {@link #hasPacket}.
     *
     * @return its index within the message
     */
    public int cutPacket(int payloadBytes) {
        int row = messages.row(cutting);
        if (messages.cut[row] == 0 && messages.opcodes[row].consumesReceive()) {
            // MOP-STR-30
            messages.receiveNumbers[row] = receiveNumber++;
        }
        // MOP-STR-1
        int index = messages.cut[row]++;
        long length = messages.lengths[row];
        waitingBytes -= Math.min(payloadBytes, length - (long) index * payloadBytes);
        if (messages.cut[row] == OutboundMessages.packets(length, payloadBytes)) {
            cutting++;
        }
        return index;
    }

    /** The row of a message, which names it in {@link #writer} and {@link #onPacketAcknowledged}. */
    public int row(int messageSequence) {
        return messages.row(messageSequence);
    }

    public OutboundPacketWriter writer() {
        return writer;
    }

    /** The message sequence that occupies a row now. */
    public int messageSequence(int row) {
        return completed + messages.row(row - completed);
    }

    public void onPacketAcknowledged(int row) {
        messages.acknowledged[row]++;
    }

    /** The responder refused a message: it fails with the mapped status, all later ones are flushed. */
    public void onRefused(int messageSequence, Syndrome syndrome) {
        if (messageSequence - completed < 0 || messageSequence - posted >= 0) {
            return;
        }
        // A conformant peer refuses only what was begun; what comes before is cut whole, or could not succeed.
        // MOP-STR-21
        failFrom(messageSequence - cutting > 0 ? cutting : messageSequence, statusOf(syndrome));
    }

    /** Fails every message in progress: the oldest with {@code first}, the rest as flushed. */
    public void fail(CompletionStatus first) {
        failFrom(completed, first);
    }

    /**
     * The connection is lost: what was begun fails with {@code status}, the rest is flushed, and nothing waits for
     * acknowledgements any more (MOP-STR-27).
     */
    public void abandon(CompletionStatus status) {
        isAbandoned = true;
        for (int message = completed; posted - message > 0; message++) {
            int row = messages.row(message);
            if (messages.statuses[row] == CompletionStatus.SUCCESS && messages.cut[row] > 0) {
                messages.statuses[row] = status;
            }
        }
        failFrom(completed, CompletionStatus.FLUSHED);
    }

    public boolean isInError() {
        return isInError;
    }

    /**
     * Completes what is due, in order, while the completion queue has room.
     *
     * @param isSuccessCertain whether no refusal by the peer is still on its way (MOP-STR)
     * @return completions written
     */
    public int deliverCompletions(boolean isSuccessCertain) {
        int delivered = 0;
        // MOP-STR-11, MOP-STR-15
        while (completed != posted && isDue(messages.row(completed), isSuccessCertain)) {
            int row = messages.row(completed);
            CompletionStatus status = messages.statuses[row];
            boolean isVisible = status != CompletionStatus.SUCCESS || (messages.flags[row] & SendFlags.SIGNALED) != 0;
            if (isVisible) {
                if (!completions.canProduce()) {
                    break;
                }
                write(row, status);
                delivered++;
            }
            if (status == CompletionStatus.SUCCESS) {
                tally.onMessageSent();
            } else if (!isInError) {
                // MOP-STR-28
                failFrom(completed, status);
            }
            completed++;
        }
        return delivered;
    }

    /** Posted, and not yet completed or not yet taken. */
    public boolean isIdle() {
        return completed == posted && sendRing.available() == 0;
    }

    /** Every taken request has completed. */
    public boolean isDrained() {
        return completed == posted;
    }

    /** Serial maximum of the peer's posted-receive limit, if it is possible; returns whether it grew (MOP-STR-37). */
    public boolean onCredit(int limit) {
        if (limit - creditLimit <= 0 || limit - receiveNumber > SlotRing.CAPACITY_MAX) {
            return false;
        }
        creditLimit = limit;
        return true;
    }

    public int creditLimit() {
        return creditLimit;
    }

    /** Bytes taken from the ring and not yet cut. */
    public long waitingBytes() {
        return waitingBytes;
    }

    private void append() {
        int row = messages.row(posted);
        @Nullable WorkRequestOpcode opcode = WorkRequestOpcode.of(request.opcode());
        messages.workRequestIds[row] = request.id();
        messages.localAddresses[row] = request.localAddress();
        messages.remoteAddresses[row] = request.remoteAddress();
        messages.lengths[row] = request.length();
        messages.lkeys[row] = request.lkey();
        messages.rkeys[row] = request.rkey();
        messages.immediates[row] = request.immediate();
        messages.flags[row] = request.flags();
        messages.cut[row] = 0;
        messages.acknowledged[row] = 0;
        messages.opcodes[row] = opcode == null ? Opcode.WRITE : wireOpcode(opcode);
        messages.statuses[row] = isInError ? CompletionStatus.FLUSHED : localStatus(row, opcode);
        // MOP-SEQ-8
        posted++;
        if (isInError) {
            cutting = posted;
        } else if (messages.statuses[row] == CompletionStatus.SUCCESS) {
            waitingBytes += messages.lengths[row];
        }
    }

    private CompletionStatus localStatus(int row, @Nullable WorkRequestOpcode opcode) {
        if (opcode == null) {
            return CompletionStatus.LOCAL_QUEUE_PAIR_ERROR;
        }
        // MOP-STR-4
        if (messages.lengths[row] > PacketParser.MESSAGE_MAX) {
            return CompletionStatus.LOCAL_LENGTH_ERROR;
        }
        MemoryCheck check = memory.check(
                messages.lkeys[row], protectionDomain, messages.localAddresses[row], messages.lengths[row], 0);
        return check == MemoryCheck.OK ? CompletionStatus.SUCCESS : CompletionStatus.LOCAL_PROTECTION_ERROR;
    }

    private boolean isDue(int row, boolean isSuccessCertain) {
        if (messages.statuses[row] != CompletionStatus.SUCCESS) {
            // MOP-STR-16
            return isAbandoned || messages.isQuiet(row);
        }
        return cutting - completed > 0 && messages.isQuiet(row) && isSuccessCertain;
    }

    private void failFrom(int messageSequence, CompletionStatus status) {
        isInError = true;
        if (messageSequence != posted && messages.statuses[messages.row(messageSequence)] == CompletionStatus.SUCCESS) {
            messages.statuses[messages.row(messageSequence)] = status;
        }
        for (int later = messageSequence + 1; posted - later > 0; later++) {
            if (messages.statuses[messages.row(later)] == CompletionStatus.SUCCESS) {
                messages.statuses[messages.row(later)] = CompletionStatus.FLUSHED;
            }
        }
        cutting = posted;
        waitingBytes = 0;
    }

    private void write(int row, CompletionStatus status) {
        completions.claim(completion);
        completion.id(messages.workRequestIds[row]);
        completion.length(messages.lengths[row]);
        completion.queuePairNumber(queuePairNumber);
        completion.immediate(0);
        completion.status(status);
        completion.opcode(
                messages.opcodes[row].placesByAddress() ? CompletionOpcode.RDMA_WRITE : CompletionOpcode.SEND);
        completion.flags(0);
        completions.publish();
        tally.onCompletion(status);
    }

    private static Opcode wireOpcode(WorkRequestOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> Opcode.WRITE;
            case RDMA_WRITE_WITH_IMM -> Opcode.WRITE_IMM;
            case SEND -> Opcode.SEND;
            case SEND_WITH_IMM -> Opcode.SEND_IMM;
        };
    }

    private static CompletionStatus statusOf(Syndrome syndrome) {
        return switch (syndrome) {
            case ACCESS, RANGE -> CompletionStatus.REMOTE_ACCESS_ERROR;
            case INVALID_REQUEST, LENGTH, NOT_SUPPORTED -> CompletionStatus.REMOTE_INVALID_REQUEST;
            case OPERATIONAL -> CompletionStatus.REMOTE_OPERATIONAL_ERROR;
        };
    }
}
