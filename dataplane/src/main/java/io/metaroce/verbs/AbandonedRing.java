// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import org.jspecify.annotations.Nullable;

/**
 * A send or receive ring that the lane has let go of, because its connection ended, while the queue pair stays open. What
 * was posted after the lane's last look would never complete; here whoever polls completes it as flushed, in the order
 * posted. Polled by the thread of the completion queue; closed by whoever closes the queue pair.
 */
final class AbandonedRing {
    private final SlotRing ring;
    private final int queuePairNumber;
    private final boolean isSend;
    private final WorkRequestSlot request = new WorkRequestSlot();
    private final ReceiveSlot receive = new ReceiveSlot();
    private boolean isClosed;

    /**
     * @param ring a view that begins where the lane stopped
     */
    AbandonedRing(SlotRing ring, int queuePairNumber, boolean isSend) {
        this.ring = ring;
        this.queuePairNumber = queuePairNumber;
        this.isSend = isSend;
    }

    int queuePairNumber() {
        return queuePairNumber;
    }

    /** The ring's memory goes: nothing is polled afterwards. */
    synchronized void close() {
        isClosed = true;
    }

    /** Completes the oldest request as flushed; false if there is none. */
    synchronized boolean poll(WorkCompletion into) {
        if (isClosed || ring.available() == 0) {
            return false;
        }
        if (isSend) {
            ring.peek(request);
            into.flushed(request.id(), opcode(WorkRequestOpcode.of(request.opcode())), queuePairNumber);
        } else {
            ring.peek(receive);
            into.flushed(receive.id(), CompletionOpcode.RECEIVE, queuePairNumber);
        }
        ring.release();
        return true;
    }

    private static CompletionOpcode opcode(@Nullable WorkRequestOpcode opcode) {
        boolean isWrite = opcode == WorkRequestOpcode.RDMA_WRITE || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMM;
        return isWrite ? CompletionOpcode.RDMA_WRITE : CompletionOpcode.SEND;
    }
}
