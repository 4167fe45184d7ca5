// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** The hash that spreads flows and derives seeds: the finisher of splitmix64. */
final class Hash {
    private Hash() {}

    static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A number from 0 to {@code bound - 1}, evenly, from the upper half of a hash. */
    static int reduce(long hash, int bound) {
        return (int) (((hash >>> 32) * bound) >>> 32);
    }
}
