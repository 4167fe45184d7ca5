// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.recovery.SequenceWindow;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Serial;
import io.metaroce.wire.Timestamp;

/** The receiving half of one path: what has arrived in the present epoch, and what the next ACK will say. */
final class PathReceiver {
    /** Whose epoch a packet belongs to. */
    enum Epoch {
        CURRENT,
        /** Just opened by this packet. */
        NEW,
        /** An earlier one: content counts, the path does not. */
        OLD
    }

    private static final int EPOCHS_NEWER_MAX = 127;

    private final SequenceWindow window = new SequenceWindow(AckFlyweight.SACK_BITS);
    private int epoch;
    private boolean hasEpoch;
    private int received;
    private int cePackets;
    private int duplicates;
    private int echoedTimestamp;
    private int echoedTransmitCount;
    private long arrivalNs;
    private boolean hasNews;
    private boolean isAckDue;
    private boolean isAnyPathDue;
    private int unacknowledged;

    /** Finds a packet's epoch; a newer one starts the path afresh, the first one is what it is (MOP-RCV-6, MOP-RCV-7). */
    Epoch onEpoch(int packetEpoch) {
        if (!hasEpoch) {
            hasEpoch = true;
            epoch = packetEpoch;
        }
        int distance = Serial.distance8(packetEpoch, epoch);
        if (distance == 0) {
            return Epoch.CURRENT;
        }
        if (distance > EPOCHS_NEWER_MAX) {
            return Epoch.OLD;
        }
        epoch = packetEpoch;
        window.reset(0);
        received = 0;
        cePackets = 0;
        duplicates = 0;
        return Epoch.NEW;
    }

    SequenceWindow window() {
        return window;
    }

    /** A DATA packet of this epoch arrived and is accounted for, or is a duplicate. */
    void onData(int timestamp, int transmitCount, boolean isMarked, long nowNs) {
        received++;
        unacknowledged++;
        if (isMarked) {
            cePackets++;
        }
        echoedTransmitCount = transmitCount;
        onArrival(timestamp, nowNs);
    }

    void onProbe(int timestamp, boolean wantsAnyPath, long nowNs) {
        echoedTransmitCount = 0;
        onArrival(timestamp, nowNs);
        isAckDue = true;
        isAnyPathDue |= wantsAnyPath;
    }

    void onDuplicate() {
        duplicates++;
    }

    void demandAck() {
        isAckDue = true;
    }

    /** The receive turn is over: what arrived is acknowledged. */
    void onReceiveTurnEnd() {
        isAckDue |= hasNews;
    }

    boolean isAckDue() {
        return isAckDue;
    }

    /** Whether the ACK must be repeated through another path. */
    boolean isAnyPathDue() {
        return isAnyPathDue;
    }

    void onAnyPathSent() {
        isAnyPathDue = false;
    }

    /** When a packet of the path arrived last; 0 if none did. */
    long arrivalNs() {
        return arrivalNs;
    }

    int unacknowledged() {
        return unacknowledged;
    }

    /** Fills in what the path knows and forgets that an ACK was due; returns the ACK's length without checksum. */
    int writeAck(AckFlyweight ack, int pathId, long nowNs) {
        boolean hasHole = window.hasHole();
        ack.pathId(pathId);
        ack.epoch(epoch);
        ack.nextPathSequence(window.next());
        ack.echoedTimestamp(echoedTimestamp);
        ack.delay(Timestamp.encodeDelayNs(nowNs - arrivalNs));
        ack.cePackets(cePackets);
        ack.receivedPackets(received);
        ack.duplicates(duplicates);
        ack.echoedTransmitCount(echoedTransmitCount);
        if (hasHole) {
            ack.flags(ack.flags() | AckFlyweight.FLAG_SACK);
            window.writeSack(ack);
        }
        return hasHole ? AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH : AckFlyweight.LENGTH;
    }

    void onAckSent() {
        isAckDue = false;
        hasNews = false;
        unacknowledged = 0;
    }

    private void onArrival(int timestamp, long nowNs) {
        echoedTimestamp = timestamp;
        arrivalNs = nowNs;
        hasNews = true;
    }
}
