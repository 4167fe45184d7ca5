// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import io.metaroce.memory.AccessFlags;
import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.QueuePairSettings;
import io.metaroce.verbs.RegisteredBuffer;
import io.metaroce.verbs.SendWorkRequest;
import io.metaroce.verbs.WorkCompletion;

/**
 * One side of a ping-pong. The side that begins calls {@link #serve}; the other answers each message as soon as it has
 * arrived. Filling and checking stand outside the way of the ball: a message is filled before its turn, and checked after
 * the answer to it has left.
 *
 * <pre>
 *   two buffers each way, used in turn: message k is in buffer k mod 2. While message k is being checked, k + 1 may arrive;
 *   k + 2 cannot, because it follows our answer to k + 1, which follows the check.
 * </pre>
 */
public final class PingPong implements AutoCloseable {
    private static final int BUFFERS = 2;
    private static final int DEPTH = 4;
    /** Whose pattern an answer carries, so that an echo of the other side's bytes is seen to be wrong. */
    private static final long ANSWER_SEED = 0x5DEE_CE66DL;

    private final TransferPlan plan;
    private final boolean begins;
    private final PayloadPattern sent;
    private final PayloadPattern expected;
    private final RegisteredBuffer outgoing;
    private final RegisteredBuffer incoming;
    private final CompletionQueue completions;
    private final QueuePair queuePair;
    private final WorkCompletion completion = new WorkCompletion();
    private long remoteAddress;
    private int rkey;
    private long prepared;
    private long sends;
    private long sendsCompleted;
    private long owed;
    private long arrivals;
    private long arrivalNs;
    private long wrongBytes;
    private long outOfTurn;
    private CompletionStatus failure = CompletionStatus.SUCCESS;

    /**
     * @param begins whether this side sends the first message
     */
    public PingPong(Context context, ProtectionDomain domain, TransferPlan plan, boolean begins) {
        this.plan = plan;
        this.begins = begins;
        this.sent = new PayloadPattern(begins ? plan.seed() : plan.seed() ^ ANSWER_SEED);
        this.expected = new PayloadPattern(begins ? plan.seed() ^ ANSWER_SEED : plan.seed());
        long bytes = BUFFERS * plan.slotBytes();
        this.outgoing = RegisteredBuffer.allocate(domain, bytes, AccessFlags.LOCAL_WRITE);
        this.incoming = RegisteredBuffer.allocate(domain, bytes, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        this.completions = context.createCompletionQueue(2 * DEPTH);
        this.queuePair = domain.createQueuePair(new QueuePairSettings(completions, completions, DEPTH, DEPTH));
        PayloadPattern.poison(incoming.address(), bytes);
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** Address of the buffers that the other side writes into. */
    public long address() {
        return incoming.address();
    }

    public int rkey() {
        return incoming.rkey();
    }

    /** Posts the first receives; once, after the queue pair has been connected. */
    public void postReceives() {
        for (int buffer = 0; buffer < BUFFERS; buffer++) {
            postReceive(buffer);
        }
    }

    /** Where the other side's buffers are. */
    public void remote(long address, int key) {
        remoteAddress = address;
        rkey = key;
    }

    /** Fills the next message, if its buffer is free; whether {@link #serve} can be called. */
    public boolean prepare() {
        boolean isFree = sends - sendsCompleted < BUFFERS;
        if (prepared == sends && isFree && queuePair.canPostSend()) {
            if (plan.isVerified()) {
                sent.fill(outgoing.address() + offset(sends), plan.messageBytes(), sends);
            }
            prepared++;
        }
        return prepared > sends;
    }

    /** Sends the message that {@link #prepare} has filled. */
    public void serve() {
        long offset = offset(sends);
        SendWorkRequest request = queuePair.claimSend();
        if (plan.operation() == TransferPlan.Operation.SEND) {
            request.sendWithImmediate((int) sends);
        } else {
            request.rdmaWriteWithImmediate(rkey, remoteAddress + offset, (int) sends);
        }
        request.id(sends++)
                .local(outgoing.lkey(), outgoing.address() + offset, plan.messageBytes())
                .signaled();
        queuePair.postSend();
    }

    /** Takes completions; an answering side answers. Returns how much it did. */
    public int doWork() {
        int work = 0;
        while (completions.poll(completion)) {
            work++;
            if (!completion.isSuccess()) {
                failure = failure == CompletionStatus.SUCCESS ? completion.status() : failure;
            } else if (completion.opcode() == CompletionOpcode.RECEIVE
                    || completion.opcode() == CompletionOpcode.RECEIVE_RDMA_WITH_IMM) {
                onArrival();
            } else {
                sendsCompleted++;
            }
        }
        if (!begins) {
            answer();
        }
        return work;
    }

    private void onArrival() {
        arrivalNs = System.nanoTime();
        if (completion.immediate() != (int) arrivals) {
            outOfTurn++;
        }
        if (!begins) {
            owed++;
            answer();
        }
        if (plan.isVerified()) {
            long address = incoming.address() + offset(arrivals);
            wrongBytes += expected.countWrong(address, plan.messageBytes(), arrivals);
            PayloadPattern.poison(address, plan.messageBytes());
        }
        postReceive(arrivals);
        arrivals++;
    }

    private void answer() {
        if (owed > 0 && prepare()) {
            owed--;
            serve();
        }
        prepare();
    }

    private void postReceive(long message) {
        if (!queuePair.canPostReceive()) {
            return;
        }
        if (plan.operation() == TransferPlan.Operation.SEND) {
            queuePair.claimReceive().local(incoming.lkey(), incoming.address() + offset(message), plan.messageBytes());
        } else {
            queuePair.claimReceive();
        }
        queuePair.postReceive();
    }

    private long offset(long message) {
        return message % BUFFERS * plan.slotBytes();
    }

    /** Messages that have arrived and been checked. */
    public long arrivals() {
        return arrivals;
    }

    /** When the last message's completion was seen, in the time of {@link System#nanoTime}. */
    public long arrivalNs() {
        return arrivalNs;
    }

    public long wrongBytes() {
        return wrongBytes;
    }

    /** Completions that named another message than the next. */
    public long outOfTurn() {
        return outOfTurn;
    }

    public CompletionStatus failure() {
        return failure;
    }

    @Override
    public void close() {
        queuePair.close();
        completions.close();
        outgoing.close();
        incoming.close();
    }
}
