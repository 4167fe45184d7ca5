// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import io.metaroce.memory.AccessFlags;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.QueuePairSettings;
import io.metaroce.verbs.RegisteredBuffer;
import io.metaroce.verbs.SendWorkRequest;
import io.metaroce.verbs.WorkCompletion;
import org.agrona.UnsafeApi;

/**
 * The sending half of a verified transfer: fills a slot with the message's own pattern, posts it, and reuses the slot only
 * after the receiver has checked it and granted it back. Progress is what the receiver has checked, not what was sent.
 */
public final class TransferSender implements AutoCloseable {
    private static final int GRANT_BUFFERS = 2 * TransferReceiver.GRANTS_IN_FLIGHT_MAX;

    private final TransferPlan plan;
    private final PayloadPattern pattern;
    private final RegisteredBuffer buffer;
    private final RegisteredBuffer grants;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final QueuePair queuePair;
    private final WorkCompletion completion = new WorkCompletion();
    private long remoteAddress;
    private int rkey;
    private long limit;
    private long posted;
    private long completed;
    private long checked;
    private long granted;
    private long wrongBytes;
    private long lateBytes;
    private long outOfTurn;
    private CompletionStatus failure = CompletionStatus.SUCCESS;

    public TransferSender(Context context, ProtectionDomain domain, TransferPlan plan) {
        this.plan = plan;
        this.pattern = new PayloadPattern(plan.seed());
        this.buffer = RegisteredBuffer.allocate(domain, plan.bufferBytes(), AccessFlags.LOCAL_WRITE);
        this.grants = RegisteredBuffer.allocate(
                domain, (long) TransferReceiver.GRANT_BYTES * GRANT_BUFFERS, AccessFlags.LOCAL_WRITE);
        this.sendQueue = context.createCompletionQueue(2 * plan.slots());
        this.receiveQueue = context.createCompletionQueue(2 * GRANT_BUFFERS);
        this.queuePair =
                domain.createQueuePair(new QueuePairSettings(sendQueue, receiveQueue, plan.slots(), GRANT_BUFFERS));
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** Where the receiver's slots are; once, after the queue pair has been connected. */
    public void start(long receiverAddress, int receiverRkey) {
        remoteAddress = receiverAddress;
        rkey = receiverRkey;
        for (int i = 0; i < GRANT_BUFFERS; i++) {
            postReceive(i);
        }
    }

    /** Messages that may be sent in all; grows as the run goes on. */
    public void limit(long messages) {
        limit = messages;
    }

    public long limit() {
        return limit;
    }

    /** Posts what may be posted and takes what has completed; returns how much it did. */
    public int doWork() {
        int work = 0;
        while (posted < limit && posted - granted < plan.messagesInFlightMax() && queuePair.canPostSend()) {
            post();
            work++;
        }
        while (sendQueue.poll(completion)) {
            if (!completion.isSuccess()) {
                fail(completion.status());
            }
            completed++;
            work++;
        }
        while (receiveQueue.poll(completion)) {
            onGrant();
            work++;
        }
        return work;
    }

    public long posted() {
        return posted;
    }

    /** Messages whose sends have completed. */
    public long completed() {
        return completed;
    }

    /** Messages that the receiver says it has checked. */
    public long checked() {
        return checked;
    }

    /** Bytes that the receiver found wrong. */
    public long wrongBytes() {
        return wrongBytes;
    }

    /** Bytes that the receiver saw written after their message was complete. */
    public long lateBytes() {
        return lateBytes;
    }

    /** Completions at the receiver that named another message than the next. */
    public long outOfTurn() {
        return outOfTurn;
    }

    /** The first completion that was no success; {@link CompletionStatus#SUCCESS} if there was none. */
    public CompletionStatus failure() {
        return failure;
    }

    private void post() {
        long message = posted++;
        int slot = plan.slot(message);
        long address = buffer.address() + slot * plan.slotBytes();
        if (plan.isVerified()) {
            pattern.fill(address, plan.messageBytes(), message);
        }
        SendWorkRequest request = queuePair.claimSend();
        if (plan.operation() == TransferPlan.Operation.SEND) {
            request.sendWithImmediate((int) message);
        } else {
            request.rdmaWriteWithImmediate(rkey, remoteAddress + slot * plan.slotBytes(), (int) message);
        }
        request.id(message).local(buffer.lkey(), address, plan.messageBytes()).signaled();
        queuePair.postSend();
    }

    private void onGrant() {
        if (!completion.isSuccess()) {
            fail(completion.status());
            return;
        }
        int index = (int) completion.id();
        long address = grants.address() + (long) index * TransferReceiver.GRANT_BYTES;
        checked = Math.max(checked, UnsafeApi.getLong(address));
        granted = Math.max(granted, UnsafeApi.getLong(address + Long.BYTES));
        wrongBytes = Math.max(wrongBytes, UnsafeApi.getLong(address + 2 * Long.BYTES));
        lateBytes = Math.max(lateBytes, UnsafeApi.getLong(address + 3 * Long.BYTES));
        outOfTurn = Math.max(outOfTurn, UnsafeApi.getLong(address + 4 * Long.BYTES));
        postReceive(index);
    }

    private void postReceive(int index) {
        if (!queuePair.canPostReceive()) {
            return;
        }
        queuePair
                .claimReceive()
                .id(index)
                .local(
                        grants.lkey(),
                        grants.address() + (long) index * TransferReceiver.GRANT_BYTES,
                        TransferReceiver.GRANT_BYTES);
        queuePair.postReceive();
    }

    private void fail(CompletionStatus status) {
        if (failure == CompletionStatus.SUCCESS) {
            failure = status;
        }
    }

    @Override
    public void close() {
        queuePair.close();
        sendQueue.close();
        receiveQueue.close();
        grants.close();
        buffer.close();
    }
}
