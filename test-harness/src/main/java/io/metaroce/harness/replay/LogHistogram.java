// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

/** Durations by size, sixteen classes an octave: within 5 % of the truth, in 4 KiB. */
final class LogHistogram {
    private static final int STEPS_SHIFT = 4;
    private static final int STEPS = 1 << STEPS_SHIFT;

    private final int[] counts = new int[Long.SIZE * STEPS];
    private long count;
    private long leastNs = Long.MAX_VALUE;

    void add(long ns) {
        long value = Math.max(ns, 1);
        leastNs = Math.min(leastNs, value);
        counts[row(value)]++;
        count++;
    }

    long count() {
        return count;
    }

    long leastNs() {
        return count == 0 ? 0 : leastNs;
    }

    /** The duration that a share of all do not exceed, 0 to 1; 0 if there are none. */
    long quantileNs(double share) {
        long wanted = (long) Math.ceil(count * share);
        long seen = 0;
        for (int row = 0; row < counts.length && count > 0; row++) {
            seen += counts[row];
            if (seen >= wanted && seen > 0) {
                return Math.max(leastNs, value(row));
            }
        }
        return 0;
    }

    private static int row(long value) {
        int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int step = (int) (octave >= STEPS_SHIFT ? value >>> (octave - STEPS_SHIFT) : value << (STEPS_SHIFT - octave));
        return octave * STEPS + (step & (STEPS - 1));
    }

    private static long value(int row) {
        int octave = row >>> STEPS_SHIFT;
        long step = (long) STEPS + (row & (STEPS - 1));
        return octave >= STEPS_SHIFT ? step << (octave - STEPS_SHIFT) : step >>> (STEPS_SHIFT - octave);
    }
}
