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
import io.metaroce.verbs.WorkCompletion;
import org.agrona.UnsafeApi;

/**
 * The receiving half of a verified transfer. Messages land in slots; each is checked byte by byte when its completion
 * comes, the slot is poisoned, watched for late writes while {@link TransferPlan#heldSlots} further messages come, and only
 * then granted to the sender again. Grants travel back as small SENDs carrying a cumulative count.
 */
public final class TransferReceiver implements AutoCloseable {
    /** A grant: messages checked, slots free again, bytes wrong, bytes written late, completions out of turn; all cumulative. */
    static final int GRANT_BYTES = 40;

    static final int GRANTS_IN_FLIGHT_MAX = 16;

    private final TransferPlan plan;
    private final PayloadPattern pattern;
    private final RegisteredBuffer buffer;
    private final RegisteredBuffer grants;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final QueuePair queuePair;
    private final WorkCompletion completion = new WorkCompletion();
    private long checked;
    private long granted;
    private long grantSaid = -1;
    private long checkedSaid;
    private long grantsPosted;
    private long grantsCompleted;
    private long wrongBytes;
    private long lateBytes;
    private long outOfTurn;
    private CompletionStatus failure = CompletionStatus.SUCCESS;

    public TransferReceiver(Context context, ProtectionDomain domain, TransferPlan plan) {
        this.plan = plan;
        this.pattern = new PayloadPattern(plan.seed());
        this.buffer = RegisteredBuffer.allocate(
                domain, plan.bufferBytes(), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        this.grants =
                RegisteredBuffer.allocate(domain, (long) GRANT_BYTES * GRANTS_IN_FLIGHT_MAX, AccessFlags.LOCAL_WRITE);
        this.sendQueue = context.createCompletionQueue(2 * GRANTS_IN_FLIGHT_MAX);
        this.receiveQueue = context.createCompletionQueue(2 * plan.slots());
        this.queuePair = domain.createQueuePair(
                new QueuePairSettings(sendQueue, receiveQueue, 2 * GRANTS_IN_FLIGHT_MAX, plan.slots()));
        PayloadPattern.poison(buffer.address(), plan.bufferBytes());
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** Address of slot 0, for the sender's writes. */
    public long address() {
        return buffer.address();
    }

    public int rkey() {
        return buffer.rkey();
    }

    /** Posts a receive for every slot; once, after the queue pair has been connected. */
    public void postReceives() {
        for (int slot = 0; slot < plan.slots(); slot++) {
            postReceive(slot);
        }
    }

    /** Checks what has arrived and grants what is free; returns how much it did. */
    public int doWork() {
        int work = 0;
        while (receiveQueue.poll(completion)) {
            onCompletion();
            work++;
        }
        while (sendQueue.poll(completion)) {
            if (!completion.isSuccess()) {
                fail(completion.status());
            }
            grantsCompleted++;
            work++;
        }
        if (mustGrant()) {
            postGrant();
            work++;
        }
        return work;
    }

    /** Messages checked so far. */
    public long checked() {
        return checked;
    }

    /** Bytes checked and found right or wrong. */
    public long checkedBytes() {
        return checked * plan.messageBytes();
    }

    /** Bytes that were not what the sender's pattern says. */
    public long wrongBytes() {
        return wrongBytes;
    }

    /** Bytes written into a slot after its message had been completed and checked: placed twice. */
    public long lateBytes() {
        return lateBytes;
    }

    /** Completions that named another message than the next. */
    public long outOfTurn() {
        return outOfTurn;
    }

    /** The first completion that was no success; {@link CompletionStatus#SUCCESS} if there was none. */
    public CompletionStatus failure() {
        return failure;
    }

    private void onCompletion() {
        if (!completion.isSuccess()) {
            fail(completion.status());
            return;
        }
        long message = checked;
        int slot = plan.slot(message);
        if (completion.immediate() != (int) message) {
            outOfTurn++;
        }
        long address = slotAddress(slot);
        if (plan.isVerified()) {
            wrongBytes += pattern.countWrong(address, plan.messageBytes(), message);
            PayloadPattern.poison(address, plan.messageBytes());
        }
        checked++;
        if (checked - granted > plan.heldSlots()) {
            release(plan.slot(granted));
            granted++;
        }
    }

    /** Looks for late writes in the slots still held: the last of a run are never released, so nothing else looks there. */
    public void checkHeld() {
        for (long message = granted; message < checked; message++) {
            countLate(plan.slot(message));
        }
    }

    /** A slot has been held long enough; it is looked at a last time before it is the sender's again. */
    private void release(int slot) {
        countLate(slot);
        postReceive(slot);
    }

    /** Whatever was written into a slot since its message was checked was written twice. */
    private void countLate(int slot) {
        if (plan.isVerified() && plan.heldSlots() > 0) {
            long late = PayloadPattern.countTouched(slotAddress(slot), plan.messageBytes());
            if (late > 0) {
                lateBytes += late;
                PayloadPattern.poison(slotAddress(slot), plan.messageBytes());
            }
        }
    }

    private void postReceive(int slot) {
        if (!queuePair.canPostReceive()) {
            return;
        }
        if (plan.operation() == TransferPlan.Operation.SEND) {
            queuePair.claimReceive().id(slot).local(buffer.lkey(), slotAddress(slot), plan.messageBytes());
        } else {
            queuePair.claimReceive().id(slot);
        }
        queuePair.postReceive();
    }

    /** Often enough that the sender never waits with half of its slots idle, and whenever all is quiet. */
    private boolean mustGrant() {
        if (checked == checkedSaid && granted == grantSaid) {
            return false;
        }
        return grantsPosted - grantsCompleted < GRANTS_IN_FLIGHT_MAX && queuePair.canPostSend();
    }

    private void postGrant() {
        long address = grants.address() + grantsPosted % GRANTS_IN_FLIGHT_MAX * GRANT_BYTES;
        UnsafeApi.putLong(address, checked);
        UnsafeApi.putLong(address + Long.BYTES, granted);
        UnsafeApi.putLong(address + 2 * Long.BYTES, wrongBytes);
        UnsafeApi.putLong(address + 3 * Long.BYTES, lateBytes);
        UnsafeApi.putLong(address + 4 * Long.BYTES, outOfTurn);
        checkedSaid = checked;
        grantSaid = granted;
        queuePair
                .claimSend()
                .id(grantsPosted++)
                .send()
                .local(grants.lkey(), address, GRANT_BYTES)
                .signaled();
        queuePair.postSend();
    }

    private void fail(CompletionStatus status) {
        if (failure == CompletionStatus.SUCCESS) {
            failure = status;
        }
    }

    private long slotAddress(int slot) {
        return buffer.address() + slot * plan.slotBytes();
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
