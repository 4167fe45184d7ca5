// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

/**
 * What we tell the peer of our planes: at once through each usable plane when one changes, and again after one and after
 * three timeouts, since an announcement is not acknowledged (MOP-PATH-24).
 */
final class PlaneAnnouncements {
    /** Rounds of an announcement; the gaps between them are one and two timeouts. */
    private static final int ROUNDS = 3;

    private static final long NEVER = Long.MAX_VALUE;

    private int usable;
    private int sequence;
    private int unsent;
    private int roundsLeft;
    private long intervalNs;
    private long nextRoundNs = NEVER;

    PlaneAnnouncements(int planes) {
        usable = (1 << planes) - 1;
    }

    /** Takes a change of the local link; returns whether it is one. */
    boolean onChange(int plane, boolean isUp, long nowNs, long timeoutNs) {
        int mask = isUp ? usable | 1 << plane : usable & ~(1 << plane);
        if (mask == usable) {
            return false;
        }
        usable = mask;
        sequence++;
        unsent = usable;
        roundsLeft = ROUNDS - 1;
        intervalNs = timeoutNs;
        nextRoundNs = nowNs + timeoutNs;
        return true;
    }

    /** A plane through which an announcement is due now; -1 if there is none. Asking counts as sending. */
    int nextPlane(long nowNs) {
        if (roundsLeft > 0 && nowNs - nextRoundNs >= 0) {
            unsent = usable;
            roundsLeft--;
            intervalNs *= 2;
            nextRoundNs = roundsLeft > 0 ? nowNs + intervalNs : NEVER;
        }
        if (unsent == 0) {
            return -1;
        }
        int plane = Integer.numberOfTrailingZeros(unsent);
        unsent &= unsent - 1;
        return plane;
    }

    int sequence() {
        return sequence;
    }

    /** Mask of the planes we can receive on. */
    int usable() {
        return usable;
    }

    long nextDeadlineNs() {
        return nextRoundNs;
    }
}
