// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.recovery.SentPackets;

/**
 * Bounds the one loop of the repair that answers do not bound: a path that answers, and on which one packet never arrives,
 * such as a link that drops everything above some size (MOP-LOSS-22).
 */
final class FutileRepair {
    /** Transmissions of one path sequence that are enough. */
    static final int TRANSMISSIONS_MAX = 64;

    private static final long NEVER = Long.MAX_VALUE;

    private int sequence;
    private long sinceNs = NEVER;

    /** A packet goes out once more. */
    void onTransmitCount(int pathSequence, int transmitCount, long nowNs) {
        if (transmitCount == TRANSMISSIONS_MAX && sinceNs == NEVER) {
            sequence = pathSequence;
            sinceNs = nowNs;
        }
    }

    /** Whether a packet was sent {@link #TRANSMISSIONS_MAX} times and is still not acknowledged. */
    boolean isFutile(SentPackets sent) {
        if (sinceNs == NEVER) {
            return false;
        }
        boolean isOver = sent.isEmpty() || sent.base() - sequence > 0 || sent.isAcknowledged(sequence);
        if (isOver) {
            sinceNs = NEVER;
        }
        return !isOver;
    }

    /** Whether it was futile already at that moment; meaningful if {@link #isFutile}. */
    boolean wasFutileAt(long momentNs) {
        return sinceNs - momentNs <= 0;
    }

    void onNewEpoch() {
        sinceNs = NEVER;
    }
}
