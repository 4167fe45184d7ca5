// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.PathCounter;
import io.metaroce.port.Ecn;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.transport.recovery.SequenceWindow;
import io.metaroce.transport.stream.Responder;
import io.metaroce.transport.stream.Stream;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.Syndrome;

/**
 * What arrives: DATA is checked against the windows, deduplicated, placed or refused, and only then marked, in that order
 * (MOP-RCV). A packet neither placed, nor refused, nor a proven duplicate is never marked, so that it comes again.
 */
final class Reception {
    /** Within so many timeouts two PROBEs for any path mean that ACKs do not arrive (MOP-PATH-19). */
    private static final int UNHEARD_WITHIN_TIMEOUTS = 64;

    private final ConnectionState connection;
    private final PathReceiver[] paths;
    private boolean wasContentDuplicate;

    Reception(ConnectionState connection, int pathCount) {
        this.connection = connection;
        this.paths = new PathReceiver[pathCount];
        for (int i = 0; i < pathCount; i++) {
            paths[i] = new PathReceiver();
        }
    }

    PathReceiver path(int pathId) {
        return paths[pathId];
    }

    void onData(PacketView packet, Arrival arrival, long nowNs) {
        DataFlyweight data = packet.data();
        if (data.pathId() >= paths.length) {
            connection.count(ConnectionCounter.RX_DROPPED_WRONG_PATH);
            return;
        }
        PathReceiver path = paths[data.pathId()];
        boolean isMarked = arrival.ecn == Ecn.CE;
        if (isMarked) {
            connection.count(ConnectionCounter.RX_CE_MARKED);
            connection.counters().paths().increment(PathCounter.RX_CE_MARKED.of(data.pathId()));
        }
        EpochReceiver epoch = path.ofEpoch(data.epoch());
        int plane = data.pathId() % connection.inbound.length;
        if (connection.inbound[plane].isGoverned()) {
            long queueNs = epoch == null ? 0 : epoch.queueNs(data.timestamp(), nowNs);
            connection.onInbound(plane, packet.packetBytes(), data, queueNs, nowNs);
        }
        if (epoch == null) {
            // MOP-RCV-9
            connection.count(ConnectionCounter.RX_OLD_EPOCH);
            takeContent(packet);
            return;
        }
        // MOP-RCV-10
        SequenceWindow.Verdict verdict = epoch.window().classify(data.pathSequence());
        if (verdict == SequenceWindow.Verdict.BEYOND) {
            connection.count(ConnectionCounter.RX_DROPPED_PATH_WINDOW);
            connection.lose(LossReason.PATH_WINDOW_EXCEEDED);
            return;
        }
        if (verdict == SequenceWindow.Verdict.DUPLICATE) {
            onPathDuplicate(epoch, packet, isMarked, nowNs);
            // MOP-RCV-2
        } else if (takeContent(packet)) {
            accountFor(epoch, data, isMarked, nowNs);
        }
    }

    private void onPathDuplicate(EpochReceiver epoch, PacketView packet, boolean isMarked, long nowNs) {
        DataFlyweight data = packet.data();
        connection.count(ConnectionCounter.RX_PATH_DUPLICATES);
        connection.counters().paths().increment(PathCounter.RX_DUPLICATES.of(data.pathId()));
        // MOP-RCV-15, MOP-RCV-16
        epoch.onDuplicate();
        epoch.onData(data.timestamp(), data.transmitCount(), isMarked, nowNs);
        epoch.demandAck();
        if (connection.settings.isBroken(BrokenRule.DEDUPE)) {
            takeContent(packet);
        }
    }

    /** @return whether the peer asks as if it did not hear our ACKs on this path */
    boolean onProbe(ProbeFlyweight probe, PathGroup senders, long nowNs) {
        connection.count(ConnectionCounter.RX_PROBES);
        if (probe.pathId() >= paths.length) {
            connection.count(ConnectionCounter.RX_DROPPED_WRONG_PATH);
            return false;
        }
        EpochReceiver epoch = paths[probe.pathId()].ofEpoch(probe.epoch());
        if (epoch == null) {
            connection.count(ConnectionCounter.RX_DROPPED_OLD_EPOCH);
            return false;
        }
        epoch.onProbe(probe.timestamp(), probe.hasFlag(ProbeFlyweight.FLAG_ANY_PATH), nowNs);
        return epoch.takeUnheard(UNHEARD_WITHIN_TIMEOUTS * senders.timeoutNs(probe.pathId()));
    }

    void onReceiveTurnEnd() {
        for (PathReceiver path : paths) {
            path.onReceiveTurnEnd();
        }
    }

    private void accountFor(EpochReceiver path, DataFlyweight data, boolean isMarked, long nowNs) {
        if (data.pathSequence() != path.window().next()) {
            connection.count(ConnectionCounter.RX_OUT_OF_ORDER);
            path.demandAck();
        }
        path.window().mark(data.pathSequence());
        path.onData(data.timestamp(), data.transmitCount(), isMarked, nowNs);
        connection.counters().paths().increment(PathCounter.RX_PACKETS.of(data.pathId()));
        if (data.hasFlag(DataFlyweight.FLAG_ACK_REQUEST)
                || isMarked
                || wasContentDuplicate
                || path.unacknowledged() >= connection.settings.limits().acknowledgeEveryPackets()) {
            path.demandAck();
        }
    }

    /** Deduplicates and executes; returns whether the packet is accounted for: placed, refused or a duplicate. */
    private boolean takeContent(PacketView packet) {
        int sequence = packet.data().connectionSequence();
        wasContentDuplicate = false;
        // MOP-RCV-11, MOP-RCV-15
        SequenceWindow.Verdict verdict = connection.arrived.classify(sequence);
        if (verdict == SequenceWindow.Verdict.BEYOND) {
            connection.count(ConnectionCounter.RX_DROPPED_CONNECTION_WINDOW);
            // MOP-RCV-13, MOP-SEC-9
            connection.lose(LossReason.CONNECTION_WINDOW_EXCEEDED);
            return false;
        }
        if (verdict == SequenceWindow.Verdict.DUPLICATE) {
            connection.count(ConnectionCounter.RX_DUPLICATES);
            wasContentDuplicate = true;
            if (connection.settings.isBroken(BrokenRule.DEDUPE)) {
                execute(packet);
            }
            return true;
        }
        if (!execute(packet)) {
            return false;
        }
        connection.arrived.mark(sequence);
        return true;
    }

    private boolean execute(PacketView packet) {
        return switch (packet.opcode()) {
            case WRITE, WRITE_IMM, SEND, SEND_IMM -> onRequest(packet);
            case ERROR -> onError(packet);
            case SEND_INV, READ_REQUEST, COMPARE_SWAP, FETCH_ADD -> onUnsupported(packet.data());
            case READ_RESPONSE, ATOMIC_RESPONSE -> {
                // Nothing was requested that such a packet could answer: acknowledged and discarded (MOP-STR-39).
                connection.count(ConnectionCounter.RX_DROPPED_BAD_MESSAGE);
                yield true;
            }
        };
    }

    private boolean onRequest(PacketView packet) {
        DataFlyweight data = packet.data();
        Stream stream = connection.streams.byId(data.streamId());
        if (stream == null) {
            connection.count(ConnectionCounter.RX_DROPPED_UNKNOWN_STREAM);
            return refuseMessage(data, Syndrome.INVALID_REQUEST);
        }
        Responder responder = stream.responder();
        // MOP-STR-19
        if (!connection.errors.hasRoom()) {
            return false;
        }
        boolean wasInError = stream.isInError();
        switch (responder.onData(packet)) {
            case PLACED -> connection.count(ConnectionCounter.RX_PAYLOAD_BYTES, data.payloadLength());
            case DISCARDED -> {
                // Acknowledged without being placed: the stream is in error and the peer will hear why.
            }
            case REFUSED -> {
                // MOP-STR-24: its stream only
                issueError(data.streamId(), responder.refusedMessage(), responder.syndrome());
                if (!wasInError) {
                    connection.onStreamFailed(stream, CompletionStatus.FLUSHED);
                }
            }
            case WINDOW_EXCEEDED -> {
                connection.count(ConnectionCounter.RX_DROPPED_MESSAGE_WINDOW);
                connection.lose(LossReason.MESSAGE_WINDOW_EXCEEDED);
                return false;
            }
            case INCONSISTENT -> {
                connection.count(ConnectionCounter.RX_DROPPED_BAD_MESSAGE);
                connection.lose(LossReason.MESSAGE_INCONSISTENT);
                return false;
            }
        }
        return true;
    }

    private boolean onUnsupported(DataFlyweight data) {
        Stream stream = connection.streams.byId(data.streamId());
        if (stream != null) {
            stream.responder().fail();
        }
        // MOP-STR-26
        return refuseMessage(data, Syndrome.NOT_SUPPORTED);
    }

    /**
     * Refuses a message that no stream speaks for, without any state but the ERROR itself. Any packet may be the only one to
     * say so: the others, with the message's end, may have been placed before the stream closed (MOP-STR-25).
     */
    private boolean refuseMessage(DataFlyweight data, Syndrome syndrome) {
        if (connection.errors.covers(data.streamId(), data.messageSequence())) {
            return true;
        }
        if (!connection.errors.hasRoom()) {
            return false;
        }
        issueError(data.streamId(), data.messageSequence(), syndrome);
        return true;
    }

    private void issueError(int streamId, int messageSequence, Syndrome syndrome) {
        // MOP-STR-18
        connection.errors.add(streamId, messageSequence, syndrome);
        connection.count(ConnectionCounter.ERRORS_ISSUED);
    }

    private boolean onError(PacketView packet) {
        // MOP-STR-22: counted whomever it names
        connection.onErrorReceived();
        Stream stream = connection.streams.byId(packet.data().streamId());
        if (stream != null) {
            boolean wasInError = stream.isInError();
            stream.requester()
                    .onRefused(
                            packet.data().messageSequence(),
                            Syndrome.of(packet.error().syndrome()));
            if (!wasInError && stream.isInError()) {
                connection.onStreamFailed(stream, CompletionStatus.REMOTE_OPERATIONAL_ERROR);
            }
        }
        return true;
    }
}
