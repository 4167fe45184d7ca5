// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.wire.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of one path: the present epoch and the one before it, each with an accounting of its own, since both
 * have packets under way when the peer changes its entropy under load (MOP-RCV-7, MOP-RCV-8).
 */
final class PathReceiver {
    private static final int EPOCHS_NEWER_MAX = 127;

    private EpochReceiver current = new EpochReceiver();
    private EpochReceiver previous = new EpochReceiver();
    private boolean hasCurrent;
    private boolean hasPrevious;

    /**
     * Finds the accounting of a packet's epoch; a newer epoch begins one, the first is what it is (MOP-RCV-6).
     *
     * @return null for an older epoch: its content counts, the path does not (MOP-RCV-9)
     */
    @Nullable
    EpochReceiver ofEpoch(int epoch) {
        if (!hasCurrent) {
            hasCurrent = true;
            current.number(epoch);
            return current;
        }
        int distance = Serial.distance8(epoch, current.epoch());
        if (distance == 0) {
            return current;
        }
        if (distance > EPOCHS_NEWER_MAX) {
            return hasPrevious && epoch == previous.epoch() ? previous : null;
        }
        EpochReceiver forgotten = previous;
        previous = current;
        hasPrevious = true;
        current = forgotten;
        current.begin(epoch);
        return current;
    }

    EpochReceiver current() {
        return current;
    }

    /** The receive turn is over: what arrived is acknowledged. */
    void onReceiveTurnEnd() {
        current.onReceiveTurnEnd();
        if (hasPrevious) {
            previous.onReceiveTurnEnd();
        }
    }

    /** The accounting whose ACK, or whose ACK through another path, is due; null if neither is. */
    @Nullable
    EpochReceiver due() {
        if (current.isAckDue() || current.isAnyPathDue()) {
            return current;
        }
        return hasPrevious && (previous.isAckDue() || previous.isAnyPathDue()) ? previous : null;
    }

    /** When a packet of the path arrived last; 0 if none did. */
    long arrivalNs() {
        return Math.max(current.arrivalNs(), previous.arrivalNs());
    }
}
