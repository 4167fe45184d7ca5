// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import java.util.concurrent.TimeUnit;

/** When a loop warms up, is measured, and ends. Read by its two threads. */
final class LoopClock {
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

    private final long startNs = System.nanoTime() + WARM_UP_NS;
    private final long endNs;
    private long firstNs;
    private long lastNs;
    private long countedBytes;

    LoopClock(int seconds) {
        this.endNs = startNs + TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Lets the other thread of the loop have the processor: there may be fewer than two. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void pause() {
        Thread.yield();
    }

    boolean isOver() {
        return System.nanoTime() - endNs >= 0;
    }

    boolean isMeasured() {
        return System.nanoTime() - startNs >= 0;
    }

    /** The receiver got so many bytes; only after the warm-up do they count. */
    void onBytes(long bytes) {
        long nowNs = System.nanoTime();
        if (nowNs - startNs < 0) {
            return;
        }
        if (firstNs == 0) {
            firstNs = nowNs;
            return;
        }
        countedBytes += bytes;
        lastNs = nowNs;
    }

    double bytesPerSecond() {
        return lastNs == firstNs ? 0 : countedBytes * 1e9 / (lastNs - firstNs);
    }
}
