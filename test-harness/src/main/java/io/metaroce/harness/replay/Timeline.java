// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import java.util.Arrays;

/** Bytes over time in a fixed number of equal steps, which double in length whenever time outgrows them. */
final class Timeline {
    static final int STEPS = 512;
    private static final long FIRST_STEP_NS = 10_000;

    private final long[] bytes = new long[STEPS];
    private long startNs;
    private long stepNs = FIRST_STEP_NS;
    private boolean hasStart;
    private int used;

    void add(long timeNs, long amount) {
        if (!hasStart) {
            hasStart = true;
            startNs = timeNs;
        }
        long since = Math.max(0, timeNs - startNs);
        while (since / stepNs >= STEPS) {
            for (int i = 0; i < STEPS / 2; i++) {
                bytes[i] = bytes[2 * i] + bytes[2 * i + 1];
            }
            Arrays.fill(bytes, STEPS / 2, STEPS, 0);
            used = (used + 1) / 2;
            stepNs *= 2;
        }
        int step = (int) (since / stepNs);
        bytes[step] += amount;
        used = Math.max(used, step + 1);
    }

    long stepNs() {
        return stepNs;
    }

    /** Bytes of each step, as far as time went. */
    long[] bytes() {
        return Arrays.copyOf(bytes, used);
    }
}
