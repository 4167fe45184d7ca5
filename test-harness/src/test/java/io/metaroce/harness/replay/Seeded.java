// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

/** Random numbers that are the same on every Java: SplitMix64, and integers only. */
final class Seeded {
    private long state;

    Seeded(long seed) {
        state = seed;
    }

    long next() {
        state += 0x9e3779b97f4a7c15L;
        long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    int below(int bound) {
        return (int) Long.remainderUnsigned(next(), bound);
    }

    boolean happens(int perMille) {
        return below(1000) < perMille;
    }
}
