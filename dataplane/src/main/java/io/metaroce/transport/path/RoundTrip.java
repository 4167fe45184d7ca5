// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/** Round-trip time of one path, smoothed as in RFC 6298, section 2, with the base beside it. */
public final class RoundTrip {
    private static final int SMOOTHED_SHIFT = 3;
    private static final int VARIATION_SHIFT = 2;
    private static final int VARIATION_FACTOR = 4;
    /** Taken for srtt until the first sample. */
    private static final long SMOOTHED_DEFAULT_NS = 1_000_000;
    /** Floors that make a timeout before the first sample (MOP-LOSS-18). */
    private static final int UNKNOWN_TIMEOUT_FLOORS = 10;
    /** Longest timeout before doubling (MOP-LOSS-18). */
    private static final long TIMEOUT_MAX_NS = 1_000_000_000;
    /** A sample stays the base for one to two of these, 10 s at most (MOP-LOSS-24). */
    private static final long LEAST_PERIOD_NS = 5_000_000_000L;
    /** Least sample: one unit of a timestamp (MOP-LOSS-23). */
    private static final long SAMPLE_MIN_NS = 16;

    private long smoothedNs;
    private long variationNs;
    private long leastNs = Long.MAX_VALUE;
    private long leastBeforeNs = Long.MAX_VALUE;
    private long leastSinceNs;
    /** When the two least samples were taken: none counts for longer than two periods. */
    private long leastAtNs;

    private long leastBeforeAtNs;

    /** A measured round trip without the peer's delay (MOP-LOSS-23). */
    public void onSample(long roundTripNs, long nowNs) {
        long sampleNs = Math.max(SAMPLE_MIN_NS, roundTripNs);
        updateLeast(sampleNs, nowNs);
        if (smoothedNs == 0) {
            smoothedNs = sampleNs;
            variationNs = sampleNs / 2;
            return;
        }
        variationNs += (Math.abs(smoothedNs - sampleNs) - variationNs) >> VARIATION_SHIFT;
        smoothedNs = Math.max(1, smoothedNs + ((sampleNs - smoothedNs) >> SMOOTHED_SHIFT));
    }

    private void updateLeast(long sampleNs, long nowNs) {
        if (nowNs - leastSinceNs >= LEAST_PERIOD_NS) {
            leastBeforeNs = leastNs;
            leastBeforeAtNs = leastAtNs;
            leastNs = Long.MAX_VALUE;
            leastSinceNs = nowNs;
        }
        if (nowNs - leastBeforeAtNs >= 2 * LEAST_PERIOD_NS) {
            leastBeforeNs = Long.MAX_VALUE;
        }
        if (sampleNs <= leastNs) {
            leastNs = sampleNs;
            leastAtNs = nowNs;
        }
    }

    /** A new way through the fabric has a base of its own; srtt and rttvar stay (MOP-LOSS-23, MOP-LOSS-24). */
    public void forgetLeast() {
        leastNs = Long.MAX_VALUE;
        leastBeforeNs = Long.MAX_VALUE;
    }

    public boolean isKnown() {
        return smoothedNs > 0;
    }

    /** Smoothed round-trip time; a default until the first sample. */
    public long smoothedNs() {
        return isKnown() ? smoothedNs : SMOOTHED_DEFAULT_NS;
    }

    public long variationNs() {
        return variationNs;
    }

    /** Base: the least round trip of the last 10 s; {@link Long#MAX_VALUE} until the first sample. */
    public long leastNs() {
        return Math.min(leastNs, leastBeforeNs);
    }

    /** Retransmission timeout without back-off: srtt + max(4 rttvar, floor) + the peer's delay (MOP-LOSS-18). */
    public long timeoutNs(long floorNs, long peerDelayNs) {
        if (!isKnown()) {
            return UNKNOWN_TIMEOUT_FLOORS * floorNs;
        }
        return Math.min(TIMEOUT_MAX_NS, smoothedNs + Math.max(VARIATION_FACTOR * variationNs, floorNs) + peerDelayNs);
    }
}
