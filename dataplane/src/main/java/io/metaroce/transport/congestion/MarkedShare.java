// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** DCTCP's estimate of how much was marked, round trip by round trip, in parts of 1/65536; 1 at first (RFC 8257). */
final class MarkedShare {
    static final int ONE = 1 << 16;
    private static final int GAIN_SHIFT = 4;

    private int share = ONE;
    private long packets;
    private long marked;

    void onPackets(int count, int markedCount) {
        packets += count;
        marked += markedCount;
    }

    long packets() {
        return packets;
    }

    long marked() {
        return marked;
    }

    /** A round trip ended; one in which nothing arrived tells nothing. */
    void endRound() {
        if (packets > 0) {
            int fraction = (int) (Math.min(marked, packets) * ONE / packets);
            share += (fraction - share) >> GAIN_SHIFT;
        }
        packets = 0;
        marked = 0;
    }

    int share() {
        return share;
    }

    void reset(int first) {
        share = first;
        packets = 0;
        marked = 0;
    }
}
