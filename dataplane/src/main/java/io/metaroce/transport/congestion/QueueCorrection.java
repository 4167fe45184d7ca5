// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * Gives away less while packets wait at the last hop (MOP-CC-25). Every packet of a plane passes that queue, so the one that
 * waited least waited there: what others waited longer is their own paths' affair. Gentle for what a step of incast leaves
 * behind, so that shares stay near fair while it drains; firm for a queue longer than a round trip.
 */
final class QueueCorrection {
    private static final int ONE = 1 << 16;
    private static final int GENTLE_MAX = ONE / 16;
    private static final int FIRM_MAX = ONE * 7 / 16;
    private static final int IGNORED_BASE_PARTS = 16;

    private final long noiseNs;
    private long leastNs = Long.MAX_VALUE;
    private int correction;

    QueueCorrection(long noiseNs) {
        this.noiseNs = noiseNs;
    }

    void onArrival(long queueNs) {
        leastNs = Math.min(leastNs, queueNs);
    }

    void onPeriod(long baseNs) {
        long queueNs = leastNs == Long.MAX_VALUE ? 0 : leastNs;
        leastNs = Long.MAX_VALUE;
        long ignoredNs = Math.max(noiseNs, baseNs / IGNORED_BASE_PARTS);
        long gentle = part(queueNs - ignoredNs, 2 * baseNs, GENTLE_MAX);
        long firm = part(queueNs - Math.max(noiseNs, baseNs), 2 * baseNs, FIRM_MAX);
        correction = (int) (gentle + firm);
    }

    long corrected(long rate) {
        return rate - ((rate * correction) >> 16);
    }

    private static long part(long excessNs, long unitNs, int most) {
        return excessNs <= 0 ? 0 : Math.min(most, excessNs * ONE / unitNs);
    }
}
