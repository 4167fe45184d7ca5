// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Waits without starving whoever shares the processor, and without sleeping through the answer that is about to come.
 *
 * <pre>
 *   work  -> spin a little -> yield for as long as an answer takes -> park, ever longer, up to the longest park
 *                                  |
 *                                  a yield came back late: somebody else needs this processor
 *                                  -> park at once, for a while
 * </pre>
 *
 * A thread that yields to one that computes is put behind it for a whole time slice, 1 to 5 ms; one that sleeps keeps its
 * claim and is woken in time. So yielding is right among threads that all wait, as lanes and applications of an idle host
 * do, and wrong beside one that works. The length of a yield tells which it is.
 */
public final class SharedProcessorIdle implements IdleStrategy {
    /** Of polling among waiting threads: some round trips on one host. */
    private static final long YIELD_FOR_NS = TimeUnit.MICROSECONDS.toNanos(300);
    /** A yield among waiting threads takes a few microseconds; this long, somebody computed. */
    private static final long YIELD_LATE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** After a late yield. */
    private static final long CROWDED_FOR_NS = TimeUnit.MILLISECONDS.toNanos(2);
    /** Spinning is for hosts where each of two lanes and two applications has a processor of its own. */
    private static final int PROCESSORS_TO_SPIN = 4;

    private static final int SPINS_OF_MANY = 2_000;
    private static final int SPINS_OF_FEW = 10;
    private static final long PARK_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);

    private final LongSupplier clock;
    private final long parkNsMax;
    private final int spinsMax;
    private int spins;
    private boolean isIdle;
    private long idleSinceNs;
    private boolean isCrowded;
    private long crowdedUntilNs;
    private long parkNs = PARK_NS_MIN;

    /**
     * @param clock monotonic nanoseconds
     * @param processors that this process may use
     * @param parkNsMax longest sleep
     */
    public SharedProcessorIdle(LongSupplier clock, int processors, long parkNsMax) {
        this.clock = clock;
        this.parkNsMax = parkNsMax;
        this.spinsMax = processors >= PROCESSORS_TO_SPIN ? SPINS_OF_MANY : SPINS_OF_FEW;
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // The yield is measured, and given up where it does not help.
    public void idle() {
        if (spins < spinsMax) {
            spins++;
            Thread.onSpinWait();
            return;
        }
        long nowNs = clock.getAsLong();
        if (!isIdle) {
            isIdle = true;
            idleSinceNs = nowNs;
        }
        if (isCrowded && nowNs - crowdedUntilNs >= 0) {
            isCrowded = false;
        }
        if (mayYield(nowNs)) {
            Thread.yield();
            onYielded(nowNs, clock.getAsLong());
        } else {
            LockSupport.parkNanos(parkNs);
            parkNs = Math.min(2 * parkNs, parkNsMax);
        }
    }

    /** Whether the next step is a yield, and not a sleep. */
    boolean mayYield(long nowNs) {
        return !isCrowded && nowNs - idleSinceNs < YIELD_FOR_NS;
    }

    void onYielded(long beforeNs, long afterNs) {
        if (afterNs - beforeNs >= YIELD_LATE_NS) {
            isCrowded = true;
            crowdedUntilNs = afterNs + CROWDED_FOR_NS;
        }
    }

    @Override
    public void reset() {
        spins = 0;
        isIdle = false;
        parkNs = PARK_NS_MIN;
    }

    @Override
    public String alias() {
        return "shared-processor";
    }
}
