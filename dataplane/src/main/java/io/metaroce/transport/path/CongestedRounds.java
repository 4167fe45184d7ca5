// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/**
 * Judges each round trip of a path: congested if something in it was marked, or if even its fastest packet had queued for
 * long; else clean. Rows of equal verdicts decide about the path's state and entropy (MOP-PATH-17, MOP-PATH-31).
 */
public final class CongestedRounds {
    /** Congested round trips in a row after which the path looks for another way. */
    public static final int CHANGE_WAY = 5;
    /** Congested round trips in a row that make a path congested. */
    public static final int ENTER = 3;
    /** Clean round trips in a row that end it: many, so that a path at the edge does not change state all the time. */
    public static final int LEAVE = 16;
    /** Clean round trips that make an entropy worth remembering. */
    public static final int GOOD = 10;

    private static final int QUEUE_NUMERATOR = 3;
    private static final int QUEUE_DENOMINATOR = 4;
    /** Length of a round while no round-trip time is known. */
    private static final long ROUND_DEFAULT_NS = 1_000_000;

    private final long queueFloorNs;
    private long roundEndNs = Long.MIN_VALUE;
    private long leastSampleNs = Long.MAX_VALUE;
    private int packets;
    private int marked;
    private int congestedInARow;
    private int cleanInARow;

    /**
     * @param queueFloorNs queueing below this is no sign of congestion, however short the round trip
     */
    public CongestedRounds(long queueFloorNs) {
        this.queueFloorNs = queueFloorNs;
    }

    public void onSample(long sampleNs) {
        leastSampleNs = Math.min(leastSampleNs, sampleNs);
    }

    /**
     * The peer received more packets of the path.
     *
     * @param morePackets duplicates included
     * @param moreMarked of those, with congestion experienced
     * @param smoothedNs length of a round; 0 if not known
     * @param baseNs round trip of the empty path; {@link Long#MAX_VALUE} if not known
     * @return whether a round trip has ended, so that the rows may have changed
     */
    public boolean onReceived(int morePackets, int moreMarked, long smoothedNs, long baseNs, long nowNs) {
        packets += morePackets;
        marked += moreMarked;
        if (roundEndNs != Long.MIN_VALUE && nowNs - roundEndNs < 0) {
            return false;
        }
        roundEndNs = nowNs + (smoothedNs > 0 ? smoothedNs : ROUND_DEFAULT_NS);
        boolean hasEnded = packets > 0;
        if (hasEnded && (marked > 0 || isDelayed(baseNs))) {
            congestedInARow++;
            cleanInARow = 0;
        } else if (hasEnded) {
            cleanInARow++;
            congestedInARow = 0;
        }
        packets = 0;
        marked = 0;
        leastSampleNs = Long.MAX_VALUE;
        return hasEnded;
    }

    /** Congested round trips since the last clean one. */
    public int congestedInARow() {
        return congestedInARow;
    }

    /** Clean round trips since the last congested one. */
    public int cleanInARow() {
        return cleanInARow;
    }

    /** Another way: what the old one was like says nothing. */
    public void onNewWay() {
        roundEndNs = Long.MIN_VALUE;
        leastSampleNs = Long.MAX_VALUE;
        packets = 0;
        marked = 0;
        congestedInARow = 0;
        cleanInARow = 0;
    }

    private boolean isDelayed(long baseNs) {
        if (leastSampleNs == Long.MAX_VALUE || baseNs == Long.MAX_VALUE) {
            return false;
        }
        long queueNs = leastSampleNs - baseNs;
        return queueNs > queueFloorNs && queueNs > baseNs / QUEUE_DENOMINATOR * QUEUE_NUMERATOR;
    }
}
