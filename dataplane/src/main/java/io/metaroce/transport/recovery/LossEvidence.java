// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import io.metaroce.wire.Serial;

/**
 * What a path's acknowledgements prove about time: a packet last sent before {@link #threshold} and not acknowledged is
 * lost (MOP-LOSS-1). Normally the threshold is the latest echoed timestamp. While our own retransmissions proved spurious the
 * reorder guard is up: then it is the third latest distinct echo, and a packet must also be one round trip old (MOP-LOSS-13).
 */
public final class LossEvidence {
    /** Distinct later transmissions that must be echoed while the guard is up. */
    public static final int GUARD_ECHOES = 3;
    /** Losses without a spurious retransmission that take the guard down. */
    public static final int GUARD_CLEAN_LOSSES = 16;

    private int latest;
    private int second;
    private int third;
    private int echoes;
    private int cleanLossesWanted;

    /** Takes an echoed timestamp; returns whether it is later than any before. */
    public boolean onEcho(int timestamp) {
        if (echoes > 0 && !Serial.isAfter(timestamp, latest)) {
            return false;
        }
        third = second;
        second = latest;
        latest = timestamp;
        echoes = Math.min(echoes + 1, GUARD_ECHOES);
        return true;
    }

    /** The peer received something twice that we sent twice: our retransmission was needless. */
    public void onSpurious() {
        cleanLossesWanted = GUARD_CLEAN_LOSSES;
    }

    /** Packets were declared lost. */
    public void onLosses(int packets) {
        cleanLossesWanted = Math.max(0, cleanLossesWanted - packets);
    }

    public boolean isGuarded() {
        return cleanLossesWanted > 0;
    }

    /** Whether there is any evidence under the present guard. */
    public boolean exists() {
        return isGuarded() ? echoes >= GUARD_ECHOES : echoes > 0;
    }

    /** Packets last sent before this are lost if unacknowledged; meaningful if evidence {@link #exists}. */
    public int threshold() {
        // MOP-LOSS-12
        return isGuarded() ? third : latest;
    }

    public void reset() {
        echoes = 0;
        cleanLossesWanted = 0;
    }
}
