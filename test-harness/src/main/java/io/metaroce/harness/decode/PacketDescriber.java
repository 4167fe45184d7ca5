// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Backlog;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.CreditRequestFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import io.metaroce.wire.PlaneStatusFlyweight;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.SendHeaderFlyweight;
import io.metaroce.wire.Syndrome;
import io.metaroce.wire.Timestamp;
import io.metaroce.wire.WriteHeaderFlyweight;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Says what a MOP packet says, also when the capture cut it or its checksum is wrong: such a packet is laid out in memory
 * of our own, filled with zeros where bytes are missing, and sealed again, so that the one parser judges it and the fields
 * that are really there can be shown beside the verdict.
 */
final class PacketDescriber {
    private static final String[] DATA_FLAGS = {"ack-request", "retransmit", "message-end", "solicited"};
    private static final String[] ACK_FLAGS = {"sack", "hint", "credit", "detour"};
    private static final String[] PROBE_FLAGS = {"any-path"};
    private static final String[] NO_FLAGS = {};

    private final PacketParser parser = new PacketParser();
    private final PacketView view = new PacketView();
    private final Crc32c crc = new Crc32c();
    private final UnsafeBuffer copy = new UnsafeBuffer(ByteBuffer.allocateDirect(PacketParser.PACKET_MAX));

    /**
     * Describes one packet.
     *
     * @param captured bytes that are there, at most {@code length}
     * @param length bytes the packet had
     */
    void describe(UnsafeBuffer packet, int offset, int captured, int length, Line line) {
        boolean isWhole = captured == length;
        boolean canBeSealed = length >= Crc32c.LENGTH;
        if (!isWhole) {
            // MOP-ENC-27: neither right nor wrong.
            line.text(Field.CRC, "unchecked");
        } else if (canBeSealed) {
            line.text(Field.CRC, crc.isSealed(packet, offset, length) ? "ok" : "wrong");
        }
        if (length > PacketParser.PACKET_MAX || !canBeSealed) {
            line.problem(canBeSealed ? "longer than any packet" : ParseResult.TOO_SHORT.meaning());
            return;
        }
        copy.setMemory(0, length, (byte) 0);
        copy.putBytes(0, packet, offset, Math.min(captured, length - Crc32c.LENGTH));
        crc.seal(copy, length - Crc32c.LENGTH);
        if (!isWhole && !hasHeaders(captured)) {
            line.problem("truncated inside its headers");
            return;
        }
        ParseResult result = parser.parse(copy, 0, length, view);
        if (result == ParseResult.OK) {
            fields(line);
        } else {
            line.problem(result.meaning());
        }
    }

    /** Whether the headers of the packet in the copy lie within the captured bytes. */
    private boolean hasHeaders(int captured) {
        if (captured < ProbeFlyweight.LENGTH) {
            return false;
        }
        int code = copy.getByte(0) & 0xf;
        if (code == PacketType.DATA.code()) {
            DataFlyweight data = view.data();
            data.wrap(copy, 0);
            Opcode opcode = Opcode.of(captured < DataFlyweight.LENGTH ? 0 : data.opcode());
            return opcode != null && captured >= DataFlyweight.LENGTH + opcode.headerLength();
        }
        if (code == PacketType.ACK.code()) {
            view.ack().wrap(copy, 0);
            boolean hasSack = view.ack().hasFlag(AckFlyweight.FLAG_SACK);
            return captured >= AckFlyweight.LENGTH + (hasSack ? AckFlyweight.SACK_LENGTH : 0);
        }
        if (code == PacketType.CREDIT.code()) {
            view.credit().wrap(copy, 0);
            return captured >= CreditFlyweight.LENGTH + view.credit().entries() * CreditFlyweight.ENTRY_LENGTH;
        }
        return true;
    }

    private void fields(Line line) {
        line.hex(Field.CONNECTION, view.connectionId());
        line.text(
                Field.TYPE,
                view.type() == PacketType.DATA
                        ? view.opcode().name()
                        : view.type().name());
        switch (view.type()) {
            case DATA -> data(view.data(), line);
            case ACK -> ack(view.ack(), line);
            case PROBE -> probe(view.probe(), line);
            case CREDIT -> credit(view.credit(), line);
            case CREDIT_REQUEST -> creditRequest(view.creditRequest(), line);
            case PLANE_STATUS -> planeStatus(view.planeStatus(), line);
        }
    }

    private void data(DataFlyweight data, Line line) {
        line.number(Field.PATH, data.pathId());
        line.number(Field.EPOCH, data.epoch());
        line.unsigned(Field.SEQUENCE, data.pathSequence());
        line.unsigned(Field.CSN, data.connectionSequence());
        line.unsigned(Field.TIMESTAMP, data.timestamp());
        line.number(Field.STREAM, data.streamId());
        line.unsigned(Field.MSN, data.messageSequence());
        line.number(Field.PAYLOAD, data.payloadLength());
        line.number(Field.TRANSMIT, data.transmitCount());
        if (data.backlog() != 0) {
            line.number(Field.BACKLOG, Backlog.decode(data.backlog()));
        }
        flags(data.flags(), DATA_FLAGS, line);
        Opcode opcode = view.opcode();
        if (opcode.placesByAddress()) {
            write(view.write(), opcode, line);
        } else if (opcode.consumesReceive()) {
            send(view.send(), opcode, line);
        } else if (opcode == Opcode.ERROR) {
            line.text(Field.SYNDROME, word(Syndrome.of(view.error().syndrome())));
        }
    }

    private static void write(WriteHeaderFlyweight write, Opcode opcode, Line line) {
        line.hex(Field.ADDRESS, write.remoteAddress());
        line.hex(Field.RKEY, write.rkey());
        line.number(Field.LENGTH, write.messageLength());
        if (opcode.consumesReceive()) {
            line.unsigned(Field.RECEIVE, write.receiveNumber());
        }
        if (opcode.carriesImmediate()) {
            line.hex(Field.IMMEDIATE, write.immediate());
        }
    }

    private static void send(SendHeaderFlyweight send, Opcode opcode, Line line) {
        line.unsigned(Field.RECEIVE, send.receiveNumber());
        line.number(Field.OFFSET, send.messageOffset());
        line.number(Field.LENGTH, send.messageLength());
        if (opcode.carriesImmediate()) {
            line.hex(Field.IMMEDIATE, send.immediate());
        }
    }

    private static void ack(AckFlyweight ack, Line line) {
        line.number(Field.PATH, ack.pathId());
        line.number(Field.EPOCH, ack.epoch());
        line.unsigned(Field.NEXT, ack.nextPathSequence());
        if (ack.hasFlag(AckFlyweight.FLAG_SACK)) {
            line.text(Field.SACK, sack(ack));
        }
        line.unsigned(Field.ECHO, ack.echoedTimestamp());
        line.number(Field.DELAY_NS, Timestamp.decodeDelayNs(ack.delay()));
        line.number(Field.CE_PACKETS, ack.cePackets());
        line.unsigned(Field.RECEIVED, ack.receivedPackets());
        line.number(Field.DUPLICATES, ack.duplicates());
        line.number(Field.LEVEL, ack.receiveLevel());
        if (ack.hasFlag(AckFlyweight.FLAG_HINT)) {
            line.unsigned(Field.HINT, ack.hint());
        }
        line.unsigned(Field.NEXT_CSN, ack.nextConnectionSequence());
        if (ack.hasFlag(AckFlyweight.FLAG_CREDIT)) {
            line.text(Field.CREDIT, ack.creditStream() + ":" + Integer.toUnsignedString(ack.creditLimit()));
        }
        line.number(Field.ERRORS, ack.errorsIssued());
        flags(ack.flags(), ACK_FLAGS, line);
    }

    private static void probe(ProbeFlyweight probe, Line line) {
        line.number(Field.PATH, probe.pathId());
        line.number(Field.EPOCH, probe.epoch());
        line.unsigned(Field.TIMESTAMP, probe.timestamp());
        line.number(Field.PADDING, probe.paddingLength());
        flags(probe.flags(), PROBE_FLAGS, line);
    }

    private static void credit(CreditFlyweight credit, Line line) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < credit.entries(); i++) {
            entries.add(credit.streamId(i) + ":" + Integer.toUnsignedString(credit.limit(i)));
        }
        line.text(Field.CREDIT, String.join(",", entries));
        flags(credit.flags(), NO_FLAGS, line);
    }

    private static void creditRequest(CreditRequestFlyweight request, Line line) {
        line.number(Field.STREAM, request.streamId());
        line.unsigned(Field.KNOWN_LIMIT, request.knownLimit());
        flags(request.flags(), NO_FLAGS, line);
    }

    private static void planeStatus(PlaneStatusFlyweight status, Line line) {
        line.unsigned(Field.SEQUENCE, status.sequence());
        line.hex(Field.PLANES, status.planes());
        flags(status.flags(), NO_FLAGS, line);
    }

    /** The received path sequences beyond the next expected one, as ranges. */
    private static String sack(AckFlyweight ack) {
        List<String> ranges = new ArrayList<>();
        int bit = 0;
        while (bit < AckFlyweight.SACK_BITS) {
            int start = bit;
            while (bit < AckFlyweight.SACK_BITS && ack.isSacked(bit)) {
                bit++;
            }
            if (bit > start) {
                String first = Integer.toUnsignedString(ack.nextPathSequence() + 1 + start);
                String last = Integer.toUnsignedString(ack.nextPathSequence() + bit);
                ranges.add(bit - start == 1 ? first : first + '-' + last);
            }
            bit++;
        }
        return ranges.isEmpty() ? "none" : String.join(",", ranges);
    }

    private static void flags(int flags, String[] names, Line line) {
        List<String> set = new ArrayList<>();
        for (int i = 0; i < Byte.SIZE; i++) {
            if ((flags & 1 << i) != 0) {
                set.add(i < names.length ? names[i] : "reserved" + i);
            }
        }
        if (!set.isEmpty()) {
            line.text(Field.FLAGS, String.join(",", set));
        }
    }

    private static String word(Syndrome syndrome) {
        return syndrome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
