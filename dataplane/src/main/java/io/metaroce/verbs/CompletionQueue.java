// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.SlotRing;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where work requests end. Polled by one thread; its queue pairs all live on one lane. When it is full the lane keeps further
 * completions back until somebody polls: none is lost or overwritten.
 */
public final class CompletionQueue implements AutoCloseable {
    private final Context context;
    private final QueueMemory memory;
    private final SlotRing ring;
    private final SlotRing laneView;
    private final CompletionSlot slot = new CompletionSlot();
    private final WorkCompletion completion = new WorkCompletion();
    private final AtomicInteger users = new AtomicInteger();
    /** Rings without a lane; joined by whoever disconnects, polled here once the lane's own completions are taken. */
    private final CopyOnWriteArrayList<AbandonedRing> abandoned = new CopyOnWriteArrayList<>();
    /** What was left in them when their queue pair was closed. */
    private final ConcurrentLinkedQueue<WorkCompletion> leftOver = new ConcurrentLinkedQueue<>();

    CompletionQueue(Context context, int entries) {
        this.context = context;
        this.memory = new QueueMemory(context.device(), "completion queue", entries);
        this.ring = memory.view();
        this.laneView = memory.view();
        context.childOpened();
    }

    /** Completions it holds at most. */
    public int capacity() {
        return ring.capacity();
    }

    /**
     * Hands waiting completions to the handler, oldest first, and gives their places back.
     *
     * @param limit completions at most
     * @return completions handled
     */
    public int poll(CompletionHandler handler, int limit) {
        int count = 0;
        while (count < limit && poll(completion)) {
            handler.onCompletion(completion);
            count++;
        }
        return count;
    }

    /** Takes the oldest waiting completion; returns false, leaving the object alone, if there is none. */
    public boolean poll(WorkCompletion into) {
        if (ring.available() == 0) {
            return pollFlushed(into);
        }
        ring.peek(slot);
        into.copyFrom(slot);
        ring.release();
        return true;
    }

    private boolean pollFlushed(WorkCompletion into) {
        WorkCompletion left = leftOver.poll();
        if (left != null) {
            into.copyFrom(left);
            return true;
        }
        for (int i = 0; i < abandoned.size(); i++) {
            if (abandoned.get(i).poll(into)) {
                return true;
            }
        }
        return false;
    }

    /** Completes from now on what nobody else will: the requests of a ring that the lane has let go of. */
    void adopt(AbandonedRing orphan) {
        abandoned.add(orphan);
    }

    /** The queue pair closes: takes what its adopted rings still hold. */
    void settle(int queuePairNumber) {
        for (AbandonedRing orphan : abandoned) {
            if (orphan.queuePairNumber() == queuePairNumber) {
                WorkCompletion flushed = new WorkCompletion();
                while (orphan.poll(flushed)) {
                    leftOver.add(flushed);
                    flushed = new WorkCompletion();
                }
                orphan.close();
                abandoned.remove(orphan);
            }
        }
    }

    /** The lane's view: one for all queue pairs, because a producer keeps its index to itself. */
    SlotRing laneView() {
        return laneView;
    }

    void attach() {
        users.incrementAndGet();
    }

    void detach() {
        users.decrementAndGet();
    }

    /**
     * Gives the queue back; completions not polled are lost.
     *
     * @throws VerbsException if queue pairs still complete into it
     */
    @Override
    public void close() {
        Context.requireNone(users.get(), "the completion queue");
        memory.close();
        context.childClosed();
    }
}
