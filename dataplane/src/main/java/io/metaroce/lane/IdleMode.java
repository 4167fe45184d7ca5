// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** What a lane's thread does when a cycle found nothing to do. */
public enum IdleMode {
    /** Spins, yields among threads that wait, then parks for ever longer: wakes within the longest park. */
    BACKOFF {
        @Override
        IdleStrategy newStrategy(LongSupplier clock) {
            int processors = Runtime.getRuntime().availableProcessors();
            return new SharedProcessorIdle(clock, processors, PARK_NS_MAX);
        }
    },
    /** Never lets the processor go: needs one for itself. */
    BUSY_SPIN {
        @Override
        IdleStrategy newStrategy(LongSupplier clock) {
            return new BusySpinIdleStrategy();
        }
    };

    /** Longest pause of an idle loop, in nanoseconds; a gap much longer than this is a stall. */
    static final long PARK_NS_MAX = TimeUnit.MICROSECONDS.toNanos(100);

    abstract IdleStrategy newStrategy(LongSupplier clock);
}
