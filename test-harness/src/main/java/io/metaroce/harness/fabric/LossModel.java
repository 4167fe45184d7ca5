// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import io.metaroce.harness.sim.SeededRandom;

/** Decides for one link, packet by packet, whether it is lost. One object a link, drawn from the link's own numbers. */
@FunctionalInterface
public interface LossModel {
    LossModel NONE = () -> false;

    boolean isNextLost();

    /** Each packet alone, with the same probability. */
    static LossModel bernoulli(double probability, SeededRandom random) {
        long threshold = threshold(probability);
        return () -> random.nextLong() >>> 1 < threshold;
    }

    /**
     * Two states (Gilbert-Elliott): in the good one nothing is lost, in the bad one everything with {@code badLoss}.
     *
     * @param meanLoss over time
     * @param burstPackets mean length of the bad state
     */
    static LossModel gilbertElliott(double meanLoss, double burstPackets, double badLoss, SeededRandom random) {
        double badShare = meanLoss / badLoss;
        double leaveBad = 1 / burstPackets;
        double enterBad = leaveBad * badShare / (1 - badShare);
        long leave = threshold(leaveBad);
        long enter = threshold(enterBad);
        long lose = threshold(badLoss);
        boolean[] isBad = {false};
        return () -> {
            isBad[0] = random.nextLong() >>> 1 < (isBad[0] ? Long.MAX_VALUE - leave : enter);
            return isBad[0] && random.nextLong() >>> 1 < lose;
        };
    }

    /** The k-th packet, the 2k-th and so on. */
    static LossModel every(int k) {
        int[] count = {0};
        return () -> {
            if (++count[0] < k) {
                return false;
            }
            count[0] = 0;
            return true;
        };
    }

    /** The k-th packet, counted from 1, and no other. */
    static LossModel only(int k) {
        int[] count = {0};
        return () -> ++count[0] == k;
    }

    private static long threshold(double probability) {
        return (long) (probability * Long.MAX_VALUE);
    }
}
