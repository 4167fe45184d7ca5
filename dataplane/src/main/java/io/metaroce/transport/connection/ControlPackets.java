// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.transport.congestion.InboundFlow;
import io.metaroce.transport.path.Path;
import io.metaroce.transport.stream.Stream;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.CreditRequestFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PlaneStatusFlyweight;
import io.metaroce.wire.ProbeFlyweight;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes the packets that are not DATA; each method returns the packet's whole length. */
final class ControlPackets {
    private final ConnectionState connection;
    private final Crc32c crc;
    private final AckFlyweight ack = new AckFlyweight();
    private final ProbeFlyweight probe = new ProbeFlyweight();
    private final CreditFlyweight credit = new CreditFlyweight();
    private final CreditRequestFlyweight creditRequest = new CreditRequestFlyweight();
    private final PlaneStatusFlyweight planeStatus = new PlaneStatusFlyweight();
    private int creditTurn;
    private int receiveLevel;
    private boolean mayHaveCredit = true;
    private boolean mayHaveRequest = true;

    ControlPackets(ConnectionState connection, Crc32c crc) {
        this.connection = connection;
        this.crc = crc;
    }

    /** Something happened after which credit may be due: without it a search that found none is not repeated. */
    void onTurn() {
        mayHaveCredit = true;
        mayHaveRequest = true;
    }

    /** A packet arrived. */
    void onReceiveLevel(int level) {
        receiveLevel = level;
        onTurn();
    }

    int writeAck(UnsafeBuffer frame, EpochReceiver receiver, int flags, int pathId, long nowNs) {
        // MOP-RCV-26: written anew each time, remembered nowhere
        ack.wrap(frame, 0);
        ack.versionAndType(PacketType.ACK);
        ack.flags(flags);
        // MOP-PKT-6
        ack.connectionId(connection.settings.remoteId());
        ack.receiveLevel(receiveLevel);
        // MOP-CC-11
        writeHint(connection.inbound[pathId % connection.inbound.length]);
        ack.nextConnectionSequence(connection.arrived.next());
        ack.errorsIssued(connection.errors.issued());
        writeCreditOf(nextWithNewCredit());
        int length = receiver.writeAck(ack, pathId, nowNs);
        connection.count(ConnectionCounter.TX_ACKS);
        return crc.seal(frame, length);
    }

    /**
     * @param packetBytes whole length to pad to; 0 for no padding
     */
    int writeProbe(UnsafeBuffer frame, Path path, int timestamp, int packetBytes, boolean wantsAnyPath) {
        int paddingLength = Math.max(0, packetBytes - ProbeFlyweight.LENGTH - Crc32c.LENGTH);
        probe.wrap(frame, 0);
        probe.versionAndType(PacketType.PROBE);
        probe.flags(wantsAnyPath ? ProbeFlyweight.FLAG_ANY_PATH : 0);
        probe.pathId(path.id());
        probe.epoch(path.epoch());
        probe.connectionId(connection.settings.remoteId());
        probe.timestamp(timestamp);
        probe.paddingLength(paddingLength);
        // MOP-PKT-11
        frame.setMemory(ProbeFlyweight.LENGTH, paddingLength, (byte) 0);
        connection.count(ConnectionCounter.TX_PROBES);
        return crc.seal(frame, ProbeFlyweight.LENGTH + paddingLength);
    }

    /** Bytes of the largest DATA packet with a payload of so many bytes. */
    static int packetBytes(int payloadBytes) {
        return DataFlyweight.LENGTH + Opcode.HEADER_LENGTH_MAX + payloadBytes + Crc32c.LENGTH;
    }

    int writePlaneStatus(UnsafeBuffer frame, int sequence, int planes) {
        planeStatus.wrap(frame, 0);
        planeStatus.versionAndType(PacketType.PLANE_STATUS);
        planeStatus.flags(0);
        planeStatus.connectionId(connection.settings.remoteId());
        planeStatus.sequence(sequence);
        planeStatus.planes(planes);
        return crc.seal(frame, PlaneStatusFlyweight.LENGTH);
    }

    /** Writes the limits of streams whose credit is urgent or asked for; 0 if there are none. */
    int writeCredit(UnsafeBuffer frame) {
        if (!mayHaveCredit) {
            return 0;
        }
        StreamTable streams = connection.streams;
        credit.wrap(frame, 0);
        int entries = 0;
        for (int slot = 0; slot < streams.slots() && entries < CreditFlyweight.ENTRIES_MAX; slot++) {
            Stream stream = streams.at(slot);
            if (stream != null && stream.takeCreditDue()) {
                credit.entry(entries++, stream.streamId(), stream.responder().announceCredit());
            }
        }
        if (entries == 0) {
            mayHaveCredit = false;
            return 0;
        }
        credit.versionAndType(PacketType.CREDIT);
        credit.flags(0);
        credit.entries(entries);
        credit.connectionId(connection.settings.remoteId());
        connection.count(ConnectionCounter.TX_CREDITS);
        return crc.seal(frame, CreditFlyweight.LENGTH + entries * CreditFlyweight.ENTRY_LENGTH);
    }

    /** Writes the first credit request that is due; 0 if none is. */
    int writeCreditRequest(UnsafeBuffer frame, long nowNs) {
        if (!mayHaveRequest) {
            return 0;
        }
        StreamTable streams = connection.streams;
        for (int slot = 0; slot < streams.slots(); slot++) {
            Stream stream = streams.at(slot);
            if (stream != null && stream.creditRequests().isRequestDue(nowNs)) {
                stream.creditRequests().onRequestSent(nowNs);
                creditRequest.wrap(frame, 0);
                creditRequest.versionAndType(PacketType.CREDIT_REQUEST);
                creditRequest.flags(0);
                creditRequest.streamId(stream.streamId());
                creditRequest.connectionId(connection.settings.remoteId());
                creditRequest.knownLimit(stream.requester().creditLimit());
                connection.count(ConnectionCounter.TX_CREDIT_REQUESTS);
                return crc.seal(frame, CreditRequestFlyweight.LENGTH);
            }
        }
        mayHaveRequest = false;
        return 0;
    }

    /** The share of our inbound rate on the path's plane, if there is one to tell (MOP-CC-22). */
    private void writeHint(InboundFlow flow) {
        long shareMbps = flow.shareMbps();
        if (shareMbps > 0) {
            ack.flags(ack.flags() | AckFlyweight.FLAG_HINT);
            flow.onTold();
        }
        ack.hint((int) shareMbps);
        ack.hintEpoch(shareMbps > 0 ? flow.epoch() : 0);
    }

    /** An ACK carries the limit of one stream, in turn among those whose limit grew; -1 if none did. */
    private int nextWithNewCredit() {
        StreamTable streams = connection.streams;
        int slots = streams.slots();
        for (int i = 0; i < slots; i++) {
            int slot = (creditTurn + i) % slots;
            Stream stream = streams.at(slot);
            if (stream != null && stream.responder().hasNewCredit()) {
                creditTurn = slot + 1;
                return slot;
            }
        }
        return -1;
    }

    private void writeCreditOf(int slot) {
        Stream stream = slot < 0 ? null : connection.streams.at(slot);
        if (stream == null) {
            ack.creditStream(0);
            ack.creditLimit(0);
            return;
        }
        ack.flags(ack.flags() | AckFlyweight.FLAG_CREDIT);
        ack.creditStream(stream.streamId());
        ack.creditLimit(stream.responder().announceCredit());
    }
}
