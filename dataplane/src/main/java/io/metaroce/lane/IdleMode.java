// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** What a lane's thread does when a cycle found nothing to do. */
public enum IdleMode {
    /** Spins, then yields, then parks for ever longer: costs little, and wakes within the longest park. */
    BACKOFF {
        @Override
        IdleStrategy newStrategy() {
            return new BackoffIdleStrategy(SPINS_MAX, YIELDS_MAX, PARK_NS_MIN, PARK_NS_MAX);
        }
    },
    /** Never lets the processor go: needs one for itself. */
    BUSY_SPIN {
        @Override
        IdleStrategy newStrategy() {
            return new BusySpinIdleStrategy();
        }
    };

    /** Longest pause of an idle loop, in nanoseconds; a gap much longer than this is a stall. */
    static final long PARK_NS_MAX = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long PARK_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long SPINS_MAX = 20;
    private static final long YIELDS_MAX = 50;

    abstract IdleStrategy newStrategy();
}
