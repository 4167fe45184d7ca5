// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import org.agrona.BitUtil;
import org.jspecify.annotations.Nullable;

/**
 * The ring out of a lane: the lane publishes, one other thread polls. A slow reader never holds the lane up: while the ring
 * is full, events wait in order in a spare store. The store cannot overflow with events that must arrive: each connection
 * gives at most three in its life, and streams close only after a command whose answer found a place in the ring.
 */
final class LaneEvents {
    private static final int EVENTS_OF_A_CONNECTION = 3;
    /** Room beside answers and lives: the lane's own end. */
    private static final int EVENTS_OF_THE_LANE = 2;

    private final RingBuffer<LaneEvent> ring;
    private final EventPoller<LaneEvent> poller;
    private final EventPoller.Handler<LaneEvent> hand = this::onSlot;
    private final LaneEvent staged = new LaneEvent();
    private final LaneEvent[] waiting;
    private final CounterBlock counters;
    private int waitingHead;
    private int waitingCount;

    /** Used by the polling thread only. */
    private LaneEvent.Handler handler = event -> {};

    private int left;
    private int taken;
    private @Nullable RuntimeException handlerFailure;

    LaneEvents(int slots, int connectionsMax, CounterBlock counters) {
        this.counters = counters;
        this.ring = RingBuffer.createSingleProducer(LaneEvent::new, slots, new YieldingWaitStrategy());
        this.poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        this.waiting = new LaneEvent
                [BitUtil.findNextPositivePowerOfTwo(
                        slots + EVENTS_OF_A_CONNECTION * connectionsMax + EVENTS_OF_THE_LANE)];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = new LaneEvent();
        }
    }

    /** Lane: an empty event to be filled, then {@link #publish}ed. */
    LaneEvent stage(LaneEvent.Kind kind) {
        return staged.clear(kind);
    }

    /** Lane: sends the staged event, or keeps it until the ring has room. */
    void publish() {
        if (waitingCount == 0 && tryPublish(staged)) {
            return;
        }
        if (staged.kind().isAdvisory() || waitingCount == waiting.length) {
            counters.increment(LaneCounter.EVENTS_LOST.ordinal());
            return;
        }
        waiting[(waitingHead + waitingCount) & (waiting.length - 1)].copyFrom(staged);
        waitingCount++;
        counters.increment(LaneCounter.EVENTS_DEFERRED.ordinal());
    }

    /** Lane: whether one more event would go straight into the ring. */
    boolean hasRoom() {
        return waitingCount == 0 && ring.hasAvailableCapacity(1);
    }

    /** Lane: whether everything published has found its place in the ring. */
    boolean isFlushed() {
        return waitingCount == 0;
    }

    /** Lane: moves waiting events into the ring, as far as it has room; returns how many. */
    int flush() {
        int moved = 0;
        while (waitingCount > 0 && tryPublish(waiting[waitingHead])) {
            waitingHead = (waitingHead + 1) & (waiting.length - 1);
            waitingCount--;
            moved++;
        }
        return moved;
    }

    private boolean tryPublish(LaneEvent event) {
        // The only producer: what has room now has room at next(), which therefore does not wait.
        if (!ring.hasAvailableCapacity(1)) {
            return false;
        }
        long sequence = ring.next();
        ring.get(sequence).copyFrom(event);
        ring.publish(sequence);
        counters.increment(LaneCounter.EVENTS.ordinal());
        return true;
    }

    /** The polling thread: see {@link LaneControl#pollEvents}. */
    int poll(LaneEvent.Handler to, int limit) {
        handler = to;
        left = limit;
        taken = 0;
        try {
            poller.poll(hand);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        RuntimeException failure = handlerFailure;
        if (failure != null) {
            handlerFailure = null;
            throw failure;
        }
        return taken;
    }

    private boolean onSlot(LaneEvent event, long sequence, boolean endOfBatch) {
        taken++;
        left--;
        try {
            handler.onEvent(event);
        } catch (RuntimeException failure) {
            // Thrown through the poller it would bring the same event again, for ever.
            handlerFailure = failure;
            return false;
        }
        return left > 0;
    }
}
