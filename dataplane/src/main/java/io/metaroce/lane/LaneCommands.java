// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The ring into a lane: any thread publishes, the lane polls. Nobody ever waits on it, so its wait strategy is never used.
 */
final class LaneCommands {
    private static final int NOTHING = -1;

    private final RingBuffer<Slot> ring;
    private final EventPoller<Slot> poller;
    private final EventPoller.Handler<Slot> drain = this::onSlot;
    private Consumer consumer = Consumer.NONE;
    private int left;
    private int taken;

    /** Carries commands out on the lane's thread. */
    interface Consumer {
        /** Takes nothing. */
        Consumer NONE = new Consumer() {
            @Override
            public boolean canAnswer() {
                return false;
            }

            @Override
            public void onCommand(LaneCommand command) {}
        };

        /** Whether an answer can be given now; a command that could not be answered is left in the ring. */
        boolean canAnswer();

        void onCommand(LaneCommand command);
    }

    private static final class Slot {
        /** Set while the slot is full. One reference to a finished command: a slot cannot be half filled. */
        private @Nullable LaneCommand command;
    }

    /**
     * @param slots a power of two
     */
    LaneCommands(int slots) {
        this.ring = RingBuffer.createMultiProducer(Slot::new, slots, new YieldingWaitStrategy());
        this.poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
    }

    /** Any thread: sends a command; false when the ring is full. */
    boolean tryPublish(LaneCommand command) {
        long sequence = tryClaim();
        if (sequence == NOTHING) {
            return false;
        }
        ring.get(sequence).command = command;
        ring.publish(sequence);
        return true;
    }

    private long tryClaim() {
        try {
            return ring.tryNext();
        } catch (InsufficientCapacityException full) {
            return NOTHING;
        }
    }

    /** Lane: hands over up to {@code limit} commands; returns how many. */
    int drain(Consumer to, int limit) {
        if (limit < 1 || !to.canAnswer()) {
            return 0;
        }
        consumer = to;
        left = limit;
        taken = 0;
        try {
            poller.poll(drain);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
        return taken;
    }

    private boolean onSlot(Slot slot, long sequence, boolean endOfBatch) {
        LaneCommand command = slot.command;
        // Emptied first: should carrying it out fail, it is neither repeated nor kept alive.
        slot.command = null;
        taken++;
        left--;
        if (command != null) {
            consumer.onCommand(command);
        }
        return left > 0 && consumer.canAnswer();
    }
}
