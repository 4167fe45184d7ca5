// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** Rates in Mbit/s as bytes and times; whole numbers only, so that every machine computes the same. */
final class Rates {
    /** What Ethernet, IPv4 and UDP add to a packet on the wire: preamble, gap and checksum included (MOP-CC-12). */
    static final int WIRE_OVERHEAD_BYTES = 66;

    private static final long MBPS_NS_PER_BYTE = 8_000;

    private Rates() {}

    static long bytesIn(long rateMbps, long timeNs) {
        return rateMbps * timeNs / MBPS_NS_PER_BYTE;
    }

    static long mbpsOf(long bytes, long timeNs) {
        return bytes * MBPS_NS_PER_BYTE / timeNs;
    }

    /** Time in 1/256 ns that bytes take at a rate, so that pacing does not drift by rounding. */
    static long fineNsOf(long bytes, long rateMbps) {
        return ((bytes * MBPS_NS_PER_BYTE) << 8) / rateMbps;
    }
}
