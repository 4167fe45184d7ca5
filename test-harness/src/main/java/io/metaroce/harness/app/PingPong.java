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

/**
 * One side of a ping-pong: a message arrives, is checked, and the next is sent back. The side that begins calls
 * {@link #serve}; the other only answers.
 */
public final class PingPong implements AutoCloseable {
    private static final int DEPTH = 16;
    /** Whose pattern a message carries, so that an echo of our own bytes is seen to be wrong. */
    private static final long ANSWER_SEED = 0x5DEE_CE66DL;

    private final TransferPlan plan;
    private final boolean isServing;
    private final PayloadPattern sent;
    private final PayloadPattern expected;
    private final RegisteredBuffer outgoing;
    private final RegisteredBuffer incoming;
    private final CompletionQueue completions;
    private final QueuePair queuePair;
    private final WorkCompletion completion = new WorkCompletion();
    private long remoteAddress;
    private int rkey;
    private long sends;
    private long arrivals;
    private long wrongBytes;
    private CompletionStatus failure = CompletionStatus.SUCCESS;

    /**
     * @param isServing whether this side begins
     */
    public PingPong(Context context, ProtectionDomain domain, TransferPlan plan, boolean isServing) {
        this.plan = plan;
        this.isServing = isServing;
        this.sent = new PayloadPattern(isServing ? plan.seed() : plan.seed() ^ ANSWER_SEED);
        this.expected = new PayloadPattern(isServing ? plan.seed() ^ ANSWER_SEED : plan.seed());
        this.outgoing = RegisteredBuffer.allocate(domain, plan.slotBytes(), AccessFlags.LOCAL_WRITE);
        this.incoming =
                RegisteredBuffer.allocate(domain, plan.slotBytes(), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        this.completions = context.createCompletionQueue(8 * DEPTH);
        this.queuePair = domain.createQueuePair(new QueuePairSettings(completions, completions, DEPTH, DEPTH));
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** Address of the buffer that the other side writes into. */
    public long address() {
        return incoming.address();
    }

    public int rkey() {
        return incoming.rkey();
    }

    /** Posts the first receives; once, after the queue pair has been connected. */
    public void postReceives() {
        for (int i = 0; i < DEPTH / 2; i++) {
            postReceive();
        }
    }

    /** Where the other side's buffer is. */
    public void remote(long address, int key) {
        remoteAddress = address;
        rkey = key;
    }

    /** Sends the next message. */
    public void serve() {
        if (plan.isVerified()) {
            sent.fill(outgoing.address(), plan.messageBytes(), sends);
        }
        SendWorkRequest request = queuePair.claimSend();
        if (plan.operation() == TransferPlan.Operation.SEND) {
            request.send();
        } else {
            request.rdmaWriteWithImmediate(rkey, remoteAddress, (int) sends);
        }
        request.id(sends++)
                .local(outgoing.lkey(), outgoing.address(), plan.messageBytes())
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
            } else if (completion.opcode() == io.metaroce.queue.CompletionOpcode.RECEIVE
                    || completion.opcode() == io.metaroce.queue.CompletionOpcode.RECEIVE_RDMA_WITH_IMM) {
                onArrival();
            }
        }
        return work;
    }

    /** Messages that have arrived and been checked. */
    public long arrivals() {
        return arrivals;
    }

    public long wrongBytes() {
        return wrongBytes;
    }

    public CompletionStatus failure() {
        return failure;
    }

    private void onArrival() {
        if (plan.isVerified()) {
            wrongBytes += expected.countWrong(incoming.address(), plan.messageBytes(), arrivals);
            PayloadPattern.poison(incoming.address(), plan.messageBytes());
        }
        arrivals++;
        postReceive();
        if (!isServing && queuePair.canPostSend()) {
            serve();
        }
    }

    private void postReceive() {
        if (!queuePair.canPostReceive()) {
            return;
        }
        if (plan.operation() == TransferPlan.Operation.SEND) {
            queuePair.claimReceive().local(incoming.lkey(), incoming.address(), plan.messageBytes());
        } else {
            queuePair.claimReceive();
        }
        queuePair.postReceive();
    }

    @Override
    public void close() {
        queuePair.close();
        completions.close();
        outgoing.close();
        incoming.close();
    }
}
