// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

/** SplitMix64 (Steele, Lea, Flood, 2014): the search for free source ports must be the same for the same seed. */
final class SplitMix {
    private static final long GOLDEN_GAMMA = 0x9e37_79b9_7f4a_7c15L;

    private SplitMix() {}

    static long next(long state) {
        return state + GOLDEN_GAMMA;
    }

    static long mix(long state) {
        long z = (state ^ (state >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return z ^ (z >>> 31);
    }
}
