// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/** Round-trip time of one path, smoothed as in RFC 6298, section 2, with the least ever seen beside it. */
public final class RoundTrip {
    private static final int SMOOTHED_SHIFT = 3;
    private static final int VARIATION_SHIFT = 2;
    private static final int VARIATION_FACTOR = 4;
    /** Taken for srtt until the first sample. */
    private static final long SMOOTHED_DEFAULT_NS = 10_000_000;

    private long smoothedNs;
    private long variationNs;
    private long leastNs = Long.MAX_VALUE;

    /** A measured round trip without the peer's delay; anything below 1 ns counts as 1 ns. */
    public void onSample(long roundTripNs) {
        long sampleNs = Math.max(1, roundTripNs);
        leastNs = Math.min(leastNs, sampleNs);
        if (smoothedNs == 0) {
            smoothedNs = sampleNs;
            variationNs = sampleNs / 2;
            return;
        }
        variationNs += (Math.abs(smoothedNs - sampleNs) - variationNs) >> VARIATION_SHIFT;
        smoothedNs = Math.max(1, smoothedNs + ((sampleNs - smoothedNs) >> SMOOTHED_SHIFT));
    }

    /** Forgets all, for a new way through the fabric. */
    public void reset() {
        smoothedNs = 0;
        variationNs = 0;
        leastNs = Long.MAX_VALUE;
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

    /** Least round trip ever seen; {@link Long#MAX_VALUE} until the first sample. */
    public long leastNs() {
        return leastNs;
    }

    /** Retransmission timeout without back-off: srtt + max(4 rttvar, floor) (MOP-LOSS). */
    public long timeoutNs(long floorNs) {
        return smoothedNs() + Math.max(VARIATION_FACTOR * variationNs, floorNs);
    }
}
