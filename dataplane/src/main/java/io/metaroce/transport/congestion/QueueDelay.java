// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * How much longer a path's packets travel than its fastest of late, from the sender's timestamps: the two clocks' offset is
 * in both and falls out. Their drift is in the difference, so the fastest is forgotten after 20 to 40 ms (MOP-CC-24).
 */
public final class QueueDelay {
    private static final long PERIOD_NS = 20_000_000;

    private long leastNs = Long.MAX_VALUE;
    private long leastBeforeNs = Long.MAX_VALUE;
    private long periodEndNs = Long.MIN_VALUE;

    /**
     * @param travelNs arrival less transmission, by two clocks
     * @return delay beyond the least, in ns
     */
    public long onArrival(long travelNs, long nowNs) {
        if (periodEndNs == Long.MIN_VALUE || nowNs - periodEndNs >= 0) {
            boolean isOld = periodEndNs == Long.MIN_VALUE || nowNs - periodEndNs >= PERIOD_NS;
            leastBeforeNs = isOld ? Long.MAX_VALUE : leastNs;
            leastNs = Long.MAX_VALUE;
            periodEndNs = nowNs + PERIOD_NS;
        }
        leastNs = Math.min(leastNs, travelNs);
        return travelNs - Math.min(leastNs, leastBeforeNs);
    }

    /** Another way through the fabric. */
    public void reset() {
        leastNs = Long.MAX_VALUE;
        leastBeforeNs = Long.MAX_VALUE;
        periodEndNs = Long.MIN_VALUE;
    }
}
