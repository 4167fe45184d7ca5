// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * Tells congestion at the last hop, which all paths of a plane share and the receiver's hints settle, from congestion of one
 * path. A mark says not where it was made; but when most paths are marked at once, the place is one that they share. Hints
 * drain the last hop within a few round trips: what stays longer is a queue they do not govern, and is answered (MOP-CC-20).
 */
final class LastHop {
    /** Round trips in which the last hop may be blamed, and how many blameless ones win one back. */
    private static final int CREDIT_MAX = 8;

    private static final int CREDIT_PARTS = 4;

    private int credit = CREDIT_MAX * CREDIT_PARTS;
    private long endNs = Long.MIN_VALUE;
    private int answered;
    private int slowed;
    private int lastAnswered;
    private int lastSlowed;
    private boolean isBlamed;

    /**
     * A path's round trip ended.
     *
     * @param isHinted whether a hint is in force
     * @return whether its congestion, if it showed any, is the last hop's
     */
    boolean onRound(boolean isSlowed, boolean isHinted, long roundTripNs, long nowNs) {
        if (endNs == Long.MIN_VALUE || nowNs - endNs >= 0) {
            boolean wasMost = isMost();
            credit = Math.max(0, Math.min(CREDIT_MAX * CREDIT_PARTS, credit + (wasMost ? -CREDIT_PARTS : 1)));
            lastAnswered = answered;
            lastSlowed = slowed;
            answered = 0;
            slowed = 0;
            endNs = nowNs + roundTripNs;
        }
        answered++;
        slowed += isSlowed ? 1 : 0;
        isBlamed = isHinted && credit >= CREDIT_PARTS && isMost();
        return isBlamed;
    }

    /** As of the last round that ended. */
    boolean isBlamed() {
        return isBlamed;
    }

    private boolean isMost() {
        return 2 * (slowed + lastSlowed) > answered + lastAnswered;
    }
}
