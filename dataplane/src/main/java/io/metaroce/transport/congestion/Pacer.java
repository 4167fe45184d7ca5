// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * Spreads packets in time by a virtual schedule: each packet moves the next start by the time it takes at the rate. Only
 * the start of a burst is held back, so a port that sends bursts sends them whole, and waits longer after (MOP-CC-18).
 *
 * <p>Senders that learn their rates at the same moment would send at the same moments ever after: the first start is
 * delayed by a part of the interval drawn from the seed, and each interval is an eighth longer or shorter at most, the next
 * one by as much the other way. Whole numbers of 1/256 ns, so that the rate is exact over any two packets.
 */
final class Pacer {
    private static final int FINE_SHIFT = 8;
    private static final int JITTER_MASK = 31;

    private final long creditNs;
    private long random;
    private long jitter;
    private long nextFineNs = Long.MIN_VALUE;

    /**
     * @param creditNs how much of a late start is made up for: about one turn of the loop that calls
     */
    Pacer(long creditNs, long seed) {
        this.creditNs = creditNs;
        this.random = seed;
    }

    /** When the next burst may start. */
    long nextNs() {
        return nextFineNs >> FINE_SHIFT;
    }

    void onSent(int packetBytes, long rateMbps, long nowNs) {
        long fineNs = Rates.fineNsOf(packetBytes + Rates.WIRE_OVERHEAD_BYTES, rateMbps);
        if (nextFineNs == Long.MIN_VALUE) {
            nextFineNs = (nowNs << FINE_SHIFT) + (fineNs >> FINE_SHIFT) * (draw() & 0xff);
        }
        jitter = jitter == 0 ? draw() & JITTER_MASK : -jitter;
        nextFineNs = Math.max(nextFineNs, (nowNs - creditNs) << FINE_SHIFT) + fineNs + (fineNs >> FINE_SHIFT) * jitter;
        jitter = jitter < 0 ? 0 : jitter;
    }

    /** The rate is line rate, or not known: nothing is held back. */
    void release() {
        nextFineNs = Long.MIN_VALUE;
        jitter = 0;
    }

    /** Knuth's linear congruential generator, its upper bits. */
    private long draw() {
        random = random * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        return random >>> 33;
    }
}
