// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.congestion.QueueDelay;
import io.metaroce.transport.recovery.SequenceWindow;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Timestamp;

/** What has arrived of one epoch of a path, and what its next ACK will say. */
final class EpochReceiver {
    private static final int UNHEARD_PROBES = 2;

    private final SequenceWindow window = new SequenceWindow(AckFlyweight.SACK_BITS);
    private final QueueDelay queueDelay = new QueueDelay();
    private int epoch;
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
    private int anyPathProbes;
    private long lastAnyPathNs;
    private long previousAnyPathNs;

    /** Takes its number from the first packet; nothing has arrived before it. */
    void number(int number) {
        epoch = number;
    }

    /** Starts afresh: nothing has arrived, all counters are 0 (MOP-RCV-7). */
    void begin(int number) {
        epoch = number;
        window.reset(0);
        queueDelay.reset();
        received = 0;
        cePackets = 0;
        duplicates = 0;
        unacknowledged = 0;
        echoedTimestamp = 0;
        echoedTransmitCount = 0;
        arrivalNs = 0;
        hasNews = false;
        isAckDue = false;
        isAnyPathDue = false;
        anyPathProbes = 0;
    }

    int epoch() {
        return epoch;
    }

    /** How much longer a packet travelled than the epoch's fastest of late. */
    long queueNs(int timestamp, long nowNs) {
        return queueDelay.onArrival(Timestamp.elapsedNs(timestamp, nowNs), nowNs);
    }

    SequenceWindow window() {
        return window;
    }

    /** A DATA packet of this epoch arrived and is accounted for, or is a duplicate. */
    void onData(int timestamp, int transmitCount, boolean isMarked, long nowNs) {
        // MOP-RCV-19, MOP-LOSS-29: sequenced packets only
        received++;
        unacknowledged++;
        if (isMarked) {
            cePackets++;
        }
        echoedTransmitCount = transmitCount;
        onArrival(timestamp, nowNs);
    }

    void onProbe(int timestamp, boolean wantsAnyPath, long nowNs) {
        if (wantsAnyPath) {
            anyPathProbes++;
            previousAnyPathNs = lastAnyPathNs;
            lastAnyPathNs = nowNs;
        }
        echoedTransmitCount = 0;
        onArrival(timestamp, nowNs);
        isAckDue = true;
        // MOP-LOSS-17: answered although nothing is new
        isAnyPathDue |= wantsAnyPath;
    }

    /**
     * Whether the peer has asked for any path's answer twice within a time, as if it did not hear those on this path;
     * asking takes note of it, so that it takes two more (MOP-PATH-19).
     */
    boolean takeUnheard(long withinNs) {
        boolean isUnheard = anyPathProbes >= UNHEARD_PROBES && lastAnyPathNs - previousAnyPathNs <= withinNs;
        if (isUnheard) {
            anyPathProbes = 0;
        }
        return isUnheard;
    }

    void onDuplicate() {
        duplicates++;
    }

    void demandAck() {
        isAckDue = true;
    }

    /** The receive turn is over: what arrived is acknowledged. */
    void onReceiveTurnEnd() {
        // MOP-RCV-20
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
        // MOP-RCV-18
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
