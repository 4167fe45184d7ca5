// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.transport.recovery.MovedPackets;
import io.metaroce.transport.recovery.SentPackets;
import io.metaroce.transport.stream.Requester;
import io.metaroce.transport.stream.Stream;
import io.metaroce.wire.DataFlyweight;
import org.agrona.BitUtil;

/**
 * What is sent as DATA, and on which path: losses first, on the path that lost them; then contents that moved between paths;
 * then ERRORs; then new packets of the streams in turn. All of it counts against the windows (MOP-LOSS, MOP-PATH).
 */
final class Transmission implements SentPackets.AcknowledgedPackets {
    /** Charged to the peer's receive buffer for each packet beside its bytes: what its host needs to keep it. */
    static final int PACKET_OVERHEAD_BYTES = 768;
    /** An acknowledgement is asked for at least so many times in each window. */
    private static final int ACK_REQUESTS_PER_WINDOW = 4;

    // MOP-SEQ-14
    private static final int AGAIN = DataFlyweight.FLAG_RETRANSMIT | DataFlyweight.FLAG_ACK_REQUEST;

    private final ConnectionState connection;
    private final PathSender[] paths;
    private final DataPackets packets;
    private final MovedPackets moved;
    private final PathChoice choice;
    private final BurstPacing pacing;
    private int bytesSinceAckRequest;
    private int sendingSequence;
    private int sendingContent;
    private int sendingIndex;
    private int inFlightPackets;
    private long inFlightBytes;
    private long awaitingSinceNs;

    Transmission(ConnectionState connection, PathSender[] paths, DataPackets packets) {
        this.connection = connection;
        this.paths = paths;
        this.packets = packets;
        this.pacing = new BurstPacing(connection.congestion);
        this.choice = new PathChoice(connection, paths, pacing);
        // Each path can leave a full window behind, and one copy beside it.
        this.moved = new MovedPackets(BitUtil.findNextPositivePowerOfTwo(paths.length * 2 * SentPackets.WINDOW));
    }

    /** The receiver's rate for us on a plane: planes are loaded in proportion. */
    void onRate(int plane, long rate) {
        choice.onRate(plane, rate);
    }

    /** Writes the next DATA packet, if the windows allow one; returns its length. */
    int poll(TransmitFrame frame, long nowNs) {
        pacing.onPoll();
        int length = pollLost(frame, nowNs);
        if (length == 0) {
            // MOP-PATH-28
            length = pollMoved(frame, nowNs);
        }
        if (length == 0) {
            length = pollError(frame, nowNs);
        }
        return length == 0 ? pollNew(frame, nowNs) : length;
    }

    /** When a burst that only pacing holds back may start; {@link PathSender#NEVER} if none is. */
    long nextBurstNs() {
        return pacing.nextBurstNs();
    }

    /** Whether something waits that only windows hold back. */
    boolean hasWork() {
        if (!moved.isEmpty() || connection.errors.isAnyWaiting()) {
            return true;
        }
        for (PathSender path : paths) {
            if (path.sent.lost() > 0) {
                return true;
            }
        }
        return connection.isReady() && connection.streams.nextWithPacket() >= 0;
    }

    /** Whether there is nothing new to send, so that every path's tail must be proven by a probe. */
    boolean isDry() {
        return moved.isEmpty() && !connection.errors.isAnyWaiting() && connection.streams.nextWithPacket() < 0;
    }

    @Override
    public void onPacketAcknowledged(int connectionSequence, int content, int contentIndex) {
        inFlightIsStale();
        if (!connection.sent.onDelivered(connectionSequence)) {
            return;
        }
        if (Content.isError(content)) {
            connection.errors.onAcknowledged(Content.errorSlot(content));
            return;
        }
        Stream stream = connection.streams.at(Content.streamSlot(content));
        if (stream != null) {
            stream.requester().onPacketAcknowledged(Content.row(content));
        }
    }

    /** Takes everything undelivered away from a path whose epoch has ended. */
    void moveAll(SentPackets sent) {
        for (int sequence = sent.base(); sequence != sent.next(); sequence++) {
            int connectionSequence = sent.connectionSequence(sequence);
            if (sent.isAcknowledged(sequence)) {
                continue;
            }
            if (connection.sent.isKnownByPeer(connectionSequence)) {
                onPacketAcknowledged(connectionSequence, sent.content(sequence), sent.contentIndex(sequence));
            } else {
                move(sent, sequence);
            }
        }
        inFlightIsStale();
    }

    /** Of an epoch that has ended, moves the packets that were just found lost. */
    void moveLost(SentPackets sent, int count) {
        for (int sequence = sent.base(); count > 0 && sequence != sent.next(); sequence++) {
            if (sent.isLost(sequence)) {
                move(sent, sequence);
            }
        }
        inFlightIsStale();
    }

    /** Copies the content that holds the connection window back, if this path has it, for a sibling to send too. */
    void copyBlocking(PathSender path) {
        SentPackets sent = path.sent;
        int oldest = connection.sent.oldest();
        for (int sequence = sent.base(); sequence != sent.next(); sequence++) {
            if (!sent.isAcknowledged(sequence) && sent.connectionSequence(sequence) == oldest) {
                move(sent, sequence);
                return;
            }
        }
    }

    /** Losses, acknowledgements and moves change what is in flight: it is summed anew before the next decision. */
    void inFlightIsStale() {
        inFlightPackets = -1;
    }

    long inFlightBytes() {
        return inFlightPackets() == 0 ? 0 : inFlightBytes;
    }

    /** Since when something has been waiting for an answer without pause; meaningful if {@link #isAwaiting}. */
    long awaitingSinceNs() {
        return awaitingSinceNs;
    }

    boolean isAwaiting() {
        if (!moved.isEmpty() || connection.ended.outstanding() > 0) {
            return true;
        }
        for (PathSender path : paths) {
            if (!path.sent.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    void onStall(long stallNs) {
        awaitingSinceNs += stallNs;
    }

    private int pollLost(TransmitFrame frame, long nowNs) {
        for (PathSender path : paths) {
            SentPackets sent = path.sent;
            if (sent.lost() == 0 || connection.settings.isBroken(BrokenRule.REPAIR)) {
                continue;
            }
            // MOP-LOSS-3, MOP-LOSS-5
            int sequence = sent.oldestLost();
            int length = sent.length(sequence);
            if (!path.hasWindow(length) || !hasRoom(length, nowNs) || pacing.isHeld(path.path.plane(), nowNs)) {
                continue;
            }
            route(frame, path);
            // MOP-LOSS-8
            int timestamp = path.path.nextTimestamp(nowNs);
            int transmitCount = sent.onRetransmitted(sequence, timestamp);
            path.futileRepair.onTransmitCount(sequence, transmitCount, nowNs);
            packets.begin(frame.buffer(), path.path, sequence, sent.connectionSequence(sequence), timestamp);
            // MOP-LOSS-6, MOP-LOSS-9: what was delivered may be the application's again, and is not read
            int written = connection.sent.isDelivered(sent.connectionSequence(sequence))
                    ? packets.finishFiller(frame.buffer(), length, AGAIN, transmitCount)
                    : packets.finish(
                            frame.buffer(), sent.content(sequence), sent.contentIndex(sequence), AGAIN, transmitCount);
            assert written == length : "a content is never cut anew";
            onSent(path, written, true, nowNs);
            return written;
        }
        return 0;
    }

    private int pollMoved(TransmitFrame frame, long nowNs) {
        while (!moved.isEmpty() && isDelivered(moved)) {
            moved.removeFirst();
        }
        if (moved.isEmpty()) {
            return 0;
        }
        int length = packets.length(moved.content(), moved.contentIndex());
        if (!choose(length, nowNs)) {
            return 0;
        }
        name(moved.connectionSequence(), moved.content(), moved.contentIndex());
        moved.removeFirst();
        connection.count(ConnectionCounter.TX_RETRANSMITTED_MOVED);
        connection.count(ConnectionCounter.TX_RETRANSMITTED_BYTES, length);
        return send(frame, AGAIN, nowNs);
    }

    /** Whether the peer has the oldest moved content by now; it then counts as acknowledged (MOP-SEQ-7). */
    private boolean isDelivered(MovedPackets contents) {
        int connectionSequence = contents.connectionSequence();
        if (connection.sent.isKnownByPeer(connectionSequence)) {
            onPacketAcknowledged(connectionSequence, contents.content(), contents.contentIndex());
        }
        return connection.sent.isDelivered(connectionSequence);
    }

    private int pollError(TransmitFrame frame, long nowNs) {
        if (!connection.errors.isAnyWaiting() || !connection.sent.hasRoom()) {
            return 0;
        }
        int slot = connection.errors.firstWaiting();
        int content = Content.ofError(slot);
        if (!choose(packets.length(content, 0), nowNs)) {
            return 0;
        }
        connection.errors.onSent(slot);
        name(connection.sent.assign(), content, 0);
        return send(frame, DataFlyweight.FLAG_ACK_REQUEST, nowNs);
    }

    private int pollNew(TransmitFrame frame, long nowNs) {
        // MOP-PATH-3
        if (!connection.isReady() || !connection.sent.hasRoom()) {
            return 0;
        }
        int slot = connection.streams.nextWithPacket();
        Stream stream = slot < 0 ? null : connection.streams.at(slot);
        if (stream == null) {
            return 0;
        }
        Requester requester = stream.requester();
        int row = requester.row(requester.cuttingMessage());
        int length = packets.length(Content.ofMessage(slot, row), requester.nextPacket());
        if (!choose(length, nowNs)) {
            return 0;
        }
        int index = requester.cutPacket(connection.payloadBytes());
        connection.streams.endTurn();
        name(connection.sent.assign(), Content.ofMessage(slot, row), index);
        connection.count(
                ConnectionCounter.TX_PAYLOAD_BYTES,
                requester.writer().payloadLength(row, index, connection.payloadBytes()));
        return send(frame, isAckWanted(length) ? DataFlyweight.FLAG_ACK_REQUEST : 0, nowNs);
    }

    private void name(int connectionSequence, int content, int contentIndex) {
        sendingSequence = connectionSequence;
        sendingContent = content;
        sendingIndex = contentIndex;
    }

    /** Sends the named content as a new packet of the chosen path. */
    private int send(TransmitFrame frame, int flags, long nowNs) {
        PathSender path = choice.chosen();
        route(frame, path);
        path.renewIfIdle(nowNs);
        // MOP-CC-3
        int length = packets.length(sendingContent, sendingIndex);
        int timestamp = path.path.nextTimestamp(nowNs);
        int pathSequence = path.sent.add(sendingSequence, sendingContent, sendingIndex, length, timestamp);
        packets.begin(frame.buffer(), path.path, pathSequence, sendingSequence, timestamp);
        int written = packets.finish(frame.buffer(), sendingContent, sendingIndex, flags, 1);
        assert written == length : "a content is never cut anew";
        choice.onSent(written);
        onSent(path, written, false, nowNs);
        return written;
    }

    private void route(TransmitFrame frame, PathSender path) {
        int plane = path.path.plane();
        frame.route(plane, connection.settings.planes().get(plane), path.path.sourcePortIndex());
    }

    private void onSent(PathSender path, int length, boolean isAgain, long nowNs) {
        if (inFlightPackets() == 0) {
            awaitingSinceNs = nowNs;
        }
        inFlightPackets++;
        inFlightBytes += length;
        path.onDataSent(length, isAgain, nowNs);
        connection.congestion.onSent(path.path.plane(), length, nowNs);
    }

    /** On the last packet, on one that fills the window, and on every quarter of a window. */
    private boolean isAckWanted(int length) {
        // MOP-LOSS-20
        int fullBytes = ControlPackets.packetBytes(connection.payloadBytes());
        bytesSinceAckRequest += length;
        PathSender chosen = choice.chosen();
        long quarterBytes = chosen.path.congestion().windowBytes() / ACK_REQUESTS_PER_WINDOW;
        boolean fillsWindow = chosen.sent.inFlightBytes() + (long) length + fullBytes
                > chosen.path.congestion().windowBytes();
        if (bytesSinceAckRequest < quarterBytes && !fillsWindow && connection.streams.nextWithPacket() >= 0) {
            return false;
        }
        bytesSinceAckRequest = 0;
        return true;
    }

    private boolean choose(int length, long nowNs) {
        return hasRoom(length, nowNs) && choice.choose(length, nowNs);
    }

    /** What is in flight stays within the connection's window (MOP-CC-13) and what the peer's buffer holds. */
    private boolean hasRoom(int length, long nowNs) {
        return inFlightPackets() == 0
                || (peerHasRoom(length) && inFlightBytes + length <= connection.congestion.windowBytes(nowNs));
    }

    /** In-flight data stays below half of the receive buffer that the peer announced (MOP-RCV). */
    private boolean peerHasRoom(int length) {
        int inFlight = inFlightPackets();
        long chargedBytes = inFlightBytes + length + (inFlight + 1L) * PACKET_OVERHEAD_BYTES;
        return inFlight == 0 || chargedBytes <= connection.settings.inFlightBytesMax();
    }

    private int inFlightPackets() {
        if (inFlightPackets < 0) {
            inFlightPackets = 0;
            inFlightBytes = 0;
            for (PathSender path : paths) {
                inFlightPackets += path.sent.outstanding();
                inFlightBytes += path.sent.inFlightBytes();
            }
            inFlightPackets += connection.ended.outstanding();
            inFlightBytes += connection.ended.inFlightBytes();
        }
        return inFlightPackets;
    }

    private void move(SentPackets sent, int sequence) {
        int connectionSequence = sent.connectionSequence(sequence);
        if (!connection.sent.isDelivered(connectionSequence) && !moved.contains(connectionSequence)) {
            boolean isAdded = moved.add(connectionSequence, sent.content(sequence), sent.contentIndex(sequence));
            assert isAdded : "the ring holds all that paths can have in flight";
        }
    }
}
