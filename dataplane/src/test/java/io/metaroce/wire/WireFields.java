// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How the flyweights reach the rows of {@link Layout}: names to setters and getters. Written by hand from the flyweights'
 * methods, so that comparing it with the table compares two sources.
 */
final class WireFields {
    /** One field of one header, by the flyweight that has it. */
    record Access(LongConsumer set, LongSupplier get) {}

    final DataFlyweight data = new DataFlyweight();
    final AckFlyweight ack = new AckFlyweight();
    final ProbeFlyweight probe = new ProbeFlyweight();
    final CreditFlyweight credit = new CreditFlyweight();
    final CreditRequestFlyweight creditRequest = new CreditRequestFlyweight();
    final PlaneStatusFlyweight planeStatus = new PlaneStatusFlyweight();
    final WriteHeaderFlyweight write = new WriteHeaderFlyweight();
    final SendHeaderFlyweight send = new SendHeaderFlyweight();
    final ReadResponseHeaderFlyweight readResponse = new ReadResponseHeaderFlyweight();
    final ErrorHeaderFlyweight error = new ErrorHeaderFlyweight();
    private final Map<Layout, Map<String, Access>> table = new LinkedHashMap<>();

    WireFields() {
        common(Layout.DATA, data);
        common(Layout.ACK, ack);
        common(Layout.PROBE, probe);
        common(Layout.CREDIT, credit);
        common(Layout.CREDIT_REQUEST, creditRequest);
        common(Layout.PLANE_STATUS, planeStatus);
        data();
        ack();
        unsequenced();
        write(Layout.WRITE);
        write(Layout.WRITE_IMM);
        send(Layout.SEND);
        send(Layout.SEND_IMM);
        send(Layout.SEND_INV);
        row(Layout.WRITE_IMM, "receive number", v -> write.receiveNumber((int) v), write::receiveNumber);
        row(Layout.WRITE_IMM, "immediate", v -> write.immediate((int) v), write::immediate);
        row(Layout.SEND_IMM, "immediate", v -> send.immediate((int) v), send::immediate);
        row(Layout.SEND_INV, "rkey", v -> send.immediate((int) v), send::immediate);
        row(Layout.READ_RESPONSE, "message offset", readResponse::messageOffset, readResponse::messageOffset);
        row(Layout.READ_RESPONSE, "message length", readResponse::messageLength, readResponse::messageLength);
        row(Layout.ERROR, "syndrome", v -> error.syndrome(Syndrome.of((int) v)), error::syndrome);
    }

    /** The fields of a header that some flyweight has; none for an operation that has no flyweight yet. */
    Map<String, Access> of(Layout layout) {
        return table.getOrDefault(layout, Map.of());
    }

    Access access(Layout layout, String field) {
        return Objects.requireNonNull(of(layout).get(field), () -> layout + "." + field);
    }

    /** Points the header's flyweight at the place where the header starts; a credit entry is the first of a CREDIT there. */
    void wrap(Layout layout, UnsafeBuffer packet, int offset) {
        switch (layout) {
            case DATA -> data.wrap(packet, offset);
            case ACK -> ack.wrap(packet, offset);
            case PROBE -> probe.wrap(packet, offset);
            case CREDIT -> credit.wrap(packet, offset);
            case CREDIT_REQUEST -> creditRequest.wrap(packet, offset);
            case PLANE_STATUS -> planeStatus.wrap(packet, offset);
            case CREDIT_ENTRY -> credit.wrap(packet, offset - CreditFlyweight.LENGTH);
            case WRITE, WRITE_IMM -> write.wrap(packet, offset);
            case SEND, SEND_IMM, SEND_INV -> send.wrap(packet, offset);
            case READ_RESPONSE -> readResponse.wrap(packet, offset);
            case ERROR -> error.wrap(packet, offset);
            default -> throw new IllegalArgumentException("no flyweight for " + layout);
        }
    }

    private void common(Layout layout, MopFlyweight header) {
        row(layout, "version", v -> {}, header::version);
        row(layout, "type", v -> header.versionAndType(PacketType.of((int) v)), header::typeCode);
        row(layout, "flags", v -> header.flags((int) v), header::flags);
        row(layout, "destination connection id", v -> header.connectionId((int) v), header::connectionId);
    }

    private void data() {
        Layout row = Layout.DATA;
        row(row, "path id", v -> data.pathId((int) v), data::pathId);
        row(row, "epoch", v -> data.epoch((int) v), data::epoch);
        row(row, "path sequence", v -> data.pathSequence((int) v), data::pathSequence);
        row(row, "connection sequence", v -> data.connectionSequence((int) v), data::connectionSequence);
        row(row, "transmit timestamp", v -> data.timestamp((int) v), data::timestamp);
        row(row, "stream id", v -> data.streamId((int) v), data::streamId);
        row(row, "opcode", v -> data.opcode(opcode((int) v)), data::opcode);
        row(row, "backlog", v -> data.backlog((int) v), data::backlog);
        row(row, "message sequence", v -> data.messageSequence((int) v), data::messageSequence);
        row(row, "payload length", v -> data.payloadLength((int) v), data::payloadLength);
        row(row, "transmit count", v -> data.transmitCount((int) v), data::transmitCount);
    }

    private void ack() {
        Layout row = Layout.ACK;
        row(row, "path id", v -> ack.pathId((int) v), ack::pathId);
        row(row, "epoch", v -> ack.epoch((int) v), ack::epoch);
        row(row, "next expected path sequence", v -> ack.nextPathSequence((int) v), ack::nextPathSequence);
        row(row, "echoed timestamp", v -> ack.echoedTimestamp((int) v), ack::echoedTimestamp);
        row(row, "ACK delay", v -> ack.delay((int) v), ack::delay);
        row(row, "CE-marked packets", v -> ack.cePackets((int) v), ack::cePackets);
        row(row, "received packets", v -> ack.receivedPackets((int) v), ack::receivedPackets);
        row(row, "path-sequence duplicates", v -> ack.duplicates((int) v), ack::duplicates);
        row(row, "receive level", v -> ack.receiveLevel((int) v), ack::receiveLevel);
        row(row, "hint epoch", v -> ack.hintEpoch((int) v), ack::hintEpoch);
        row(row, "hint", v -> ack.hint((int) v), ack::hint);
        row(
                row,
                "next expected connection sequence",
                v -> ack.nextConnectionSequence((int) v),
                ack::nextConnectionSequence);
        row(row, "credit stream id", v -> ack.creditStream((int) v), ack::creditStream);
        row(row, "echoed count", v -> ack.echoedTransmitCount((int) v), ack::echoedTransmitCount);
        row(row, "errors issued", v -> ack.errorsIssued((int) v), ack::errorsIssued);
        row(row, "posted-receive limit", v -> ack.creditLimit((int) v), ack::creditLimit);
    }

    private void unsequenced() {
        row(Layout.PROBE, "path id", v -> probe.pathId((int) v), probe::pathId);
        row(Layout.PROBE, "epoch", v -> probe.epoch((int) v), probe::epoch);
        row(Layout.PROBE, "transmit timestamp", v -> probe.timestamp((int) v), probe::timestamp);
        row(Layout.PROBE, "padding length", v -> probe.paddingLength((int) v), probe::paddingLength);
        row(Layout.CREDIT, "entries", v -> credit.entries((int) v), credit::entries);
        row(Layout.CREDIT_ENTRY, "stream id", v -> credit.entry(0, (int) v, credit.limit(0)), () -> credit.streamId(0));
        row(
                Layout.CREDIT_ENTRY,
                "posted-receive limit",
                v -> credit.entry(0, credit.streamId(0), (int) v),
                () -> credit.limit(0));
        row(Layout.CREDIT_REQUEST, "stream id", v -> creditRequest.streamId((int) v), creditRequest::streamId);
        row(Layout.CREDIT_REQUEST, "known limit", v -> creditRequest.knownLimit((int) v), creditRequest::knownLimit);
        row(Layout.PLANE_STATUS, "sequence", v -> planeStatus.sequence((int) v), planeStatus::sequence);
        row(Layout.PLANE_STATUS, "usable planes", v -> planeStatus.planes((int) v), planeStatus::planes);
    }

    private void write(Layout layout) {
        row(layout, "remote address", write::remoteAddress, write::remoteAddress);
        row(layout, "rkey", v -> write.rkey((int) v), write::rkey);
        row(layout, "message length", write::messageLength, write::messageLength);
    }

    private void send(Layout layout) {
        row(layout, "receive number", v -> send.receiveNumber((int) v), send::receiveNumber);
        row(layout, "message offset", send::messageOffset, send::messageOffset);
        row(layout, "message length", send::messageLength, send::messageLength);
    }

    private void row(Layout layout, String field, LongConsumer set, LongSupplier get) {
        LayoutField place = layout.named(field);
        long mask = place.bits() == Long.SIZE ? -1L : (1L << place.bits()) - 1;
        table.computeIfAbsent(layout, key -> new LinkedHashMap<>())
                .put(field, new Access(set, () -> get.getAsLong() & mask));
    }

    private static Opcode opcode(int code) {
        Opcode opcode = Opcode.of(code);
        if (opcode == null) {
            throw new IllegalArgumentException("no opcode " + code);
        }
        return opcode;
    }
}
