// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.LaneCounter;
import io.metaroce.port.ThreadAffinity;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Gives a lane a thread, a clock, a processor and a way to idle; the only class of the dataplane that reads the clock. An
 * exception in the duty cycle ends this lane with a clear state and nothing else: the process, and other lanes, go on.
 */
public final class LaneRunner implements AutoCloseable {
    /** A park may last longer than asked by the timer slack of the kernel and a time slice; that is not a stall yet. */
    private static final int PARKS_BELOW_STALL = 5;
    /** How long an ended lane waits for readers of its last events. */
    private static final long LAST_EVENTS_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long LAST_EVENTS_PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * How a lane is run.
     *
     * @param name of the thread
     * @param idle what to do between cycles without work
     * @param affinity ties the thread to {@code cpu}; null leaves the thread to the scheduler
     * @param cpu processor, from 0; meaningful with {@code affinity}
     */
    public record Settings(
            String name, IdleMode idle, @Nullable ThreadAffinity affinity, int cpu) {
        /** Scheduled by the kernel, with backoff. */
        public static Settings named(String name) {
            return new Settings(name, IdleMode.BACKOFF, null, 0);
        }
    }

    private final Lane lane;
    private final Settings settings;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Written by whoever stops, read by the lane's thread. */
    private volatile boolean isStopping;
    /** Written once by the lane's thread before the latch opens. */
    private volatile @Nullable Throwable failure;

    public LaneRunner(Lane lane, LaneSettings laneSettings, Settings settings) {
        if (laneSettings.stallBoundNs() < PARKS_BELOW_STALL * IdleMode.PARK_NS_MAX) {
            throw new IllegalArgumentException("stallBoundNs must be at least "
                    + PARKS_BELOW_STALL * IdleMode.PARK_NS_MAX + ": an idle loop would look stalled");
        }
        this.lane = lane;
        this.settings = settings;
        this.thread = new Thread(this::run, settings.name());
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Asks the lane to end; does not wait. */
    public void stop() {
        isStopping = true;
    }

    /** Waits for the end of the lane; false if it did not come in time. */
    public boolean awaitEnd(long timeoutNs) throws InterruptedException {
        return ended.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** Whether the lane has ended, as asked or by a failure. */
    public boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** What ended the lane although nobody asked; null if nothing did. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** How long ago the last duty cycle began, in nanoseconds; any thread. Meaningless before the first. */
    public long sinceLastCycleNs() {
        return System.nanoTime() - lane.counters().get(LaneCounter.LAST_CYCLE_NS.ordinal());
    }

    /** Asks the lane to end and waits until its ports are closed, at most a second. */
    @Override
    public void close() {
        stop();
        try {
            awaitEnd(2 * LAST_EVENTS_NS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            ThreadAffinity affinity = settings.affinity();
            if (affinity != null) {
                affinity.pinCurrentThread(settings.cpu());
            }
            runUntilStopped();
            lane.stop(System.nanoTime());
        } catch (Throwable cause) {
            failure = cause;
            lane.fail(cause);
        } finally {
            handOverLastEvents();
            ended.countDown();
        }
    }

    private void runUntilStopped() {
        IdleStrategy idle = settings.idle().newStrategy(System::nanoTime);
        while (!isStopping) {
            idle.idle(lane.doWork(System.nanoTime()));
        }
    }

    private void handOverLastEvents() {
        long endNs = System.nanoTime() + LAST_EVENTS_NS;
        while (!lane.flushEvents() && endNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(LAST_EVENTS_PARK_NS);
        }
    }
}
