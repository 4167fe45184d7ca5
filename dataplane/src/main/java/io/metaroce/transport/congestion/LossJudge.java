// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * Tells a fabric that overflows from one that loses by chance, over the whole connection (MOP-CC-21). Chance loses without
 * a queue; a buffer that overflows is full most of the time, so packets waited in it.
 */
final class LossJudge {
    /** Of the window is kept: everything. */
    static final int ALL = 1 << 16;

    private static final int PACKETS_MIN = 64;
    private static final int HEAVY_PACKETS_MIN = 128;
    /** One in five. */
    private static final int HEAVY_PARTS = 5;
    /** One in 32. */
    private static final int QUEUED_PARTS = 32;

    private static final int QUEUE_BASE_PARTS = 16;
    private static final int ROUND_TRIPS = 2;
    /** A verdict that takes longer is about other times. */
    private static final int ROUND_TRIPS_MAX = 16;

    private final long noiseNs;
    private long sinceNs = Long.MIN_VALUE;
    private long delivered;
    private long lost;
    private long queueNs;
    private long samples;
    private long baseNs;

    LossJudge(long noiseNs) {
        this.noiseNs = noiseNs;
    }

    void onSample(long sampleQueueNs, long pathBaseNs) {
        queueNs += sampleQueueNs;
        samples++;
        baseNs = pathBaseNs;
    }

    void onLost(int packets, long nowNs) {
        if (sinceNs == Long.MIN_VALUE) {
            sinceNs = nowNs;
        }
        lost += packets;
    }

    /** Returns how much of the window is kept, in parts of {@link #ALL}. */
    int onDelivered(int packets, long roundTripNs, long nowNs) {
        if (sinceNs == Long.MIN_VALUE) {
            sinceNs = nowNs;
        }
        delivered += packets;
        long elapsedNs = nowNs - sinceNs;
        if (elapsedNs < ROUND_TRIPS * roundTripNs) {
            return ALL;
        }
        long sent = delivered + lost;
        boolean isHeavy = lost * HEAVY_PARTS > sent;
        if (sent < (isHeavy ? HEAVY_PACKETS_MIN : PACKETS_MIN)) {
            if (elapsedNs > ROUND_TRIPS_MAX * roundTripNs) {
                restart(nowNs);
            }
            return ALL;
        }
        int kept = verdict(sent);
        restart(nowNs);
        return kept;
    }

    private int verdict(long sent) {
        if (lost * HEAVY_PARTS > sent) {
            return (int) (delivered * ALL / sent);
        }
        boolean isQueued = samples > 0 && queueNs / samples > Math.max(baseNs / QUEUE_BASE_PARTS, noiseNs);
        if (isQueued && lost * QUEUED_PARTS > sent) {
            return (int) Math.max(ALL / 2, ALL - 2 * lost * ALL / sent);
        }
        return ALL;
    }

    private void restart(long nowNs) {
        sinceNs = nowNs;
        delivered = 0;
        lost = 0;
        queueNs = 0;
        samples = 0;
    }
}
