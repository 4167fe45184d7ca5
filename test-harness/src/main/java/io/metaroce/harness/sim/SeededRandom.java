// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

/** Numbers from a seed alone (splitmix64), the same on every machine; probabilities are whole parts of a million. */
public final class SeededRandom {
    private static final int MILLION = 1_000_000;

    private long state;

    public SeededRandom(long seed) {
        state = seed;
    }

    public long nextLong() {
        state += 0x9E37_79B9_7F4A_7C15L;
        long mixed = (state ^ state >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }

    /** A number from 0 to {@code bound - 1}. */
    public int below(int bound) {
        return (int) Long.remainderUnsigned(nextLong(), bound);
    }

    /** A number from {@code least} to {@code most}. */
    public long between(long least, long most) {
        return least + Long.remainderUnsigned(nextLong(), most - least + 1);
    }

    /** True in so many of a million cases. */
    public boolean hits(int partsPerMillion) {
        return partsPerMillion > 0 && below(MILLION) < partsPerMillion;
    }

    public <T> T oneOf(java.util.List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
