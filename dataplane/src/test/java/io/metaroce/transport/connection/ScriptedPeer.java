// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.CreditRequestFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.ErrorHeaderFlyweight;
import io.metaroce.wire.MopFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PlaneStatusFlyweight;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.SendHeaderFlyweight;
import io.metaroce.wire.Syndrome;
import io.metaroce.wire.WriteHeaderFlyweight;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes the packets that a script's peer sends; every number that a line gives is taken as it is, right or wrong. */
final class ScriptedPeer {
    private static final int DATA_BYTES = 256;
    private static final int ID_OF_THE_CONNECTION = 11;

    final UnsafeBuffer packet = new UnsafeBuffer(BufferUtil.allocateDirectAligned(10_000, 64));
    private final Map<String, Integer> timestamps = new HashMap<>();
    private final Crc32c crc = new Crc32c();
    private final long memoryAddress;
    private final int memoryKey;
    private int lastTimestamp;

    /**
     * @param memoryAddress where writes go, plus the offset that a line gives
     * @param memoryKey what they name, unless the line says otherwise
     */
    ScriptedPeer(long memoryAddress, int memoryKey) {
        this.memoryAddress = memoryAddress;
        this.memoryKey = memoryKey;
    }

    /** A packet got a name, so that its timestamp can be echoed. */
    void remember(String name, int timestamp) {
        if (!name.isEmpty()) {
            timestamps.put(name, timestamp);
        }
    }

    int timestampOf(String name) {
        return Objects.requireNonNull(timestamps.get(name), "nothing has the name " + name);
    }

    /** Writes the packet of a line; returns its length with the checksum. */
    int write(Words words) {
        packet.setMemory(0, packet.capacity(), (byte) 0);
        int length = switch (words.verb()) {
            case "ack" -> ack(words);
            case "data" -> data(words);
            case "probe" -> probe(words);
            case "credit" -> credit(words);
            case "credit-request" -> creditRequest(words);
            case "planes-usable" -> planeStatus(words);
            default -> throw new IllegalArgumentException("no such packet: " + words.verb());
        };
        return crc.seal(packet, length);
    }

    private void begin(MopFlyweight header, PacketType type, int flags) {
        header.wrap(packet, 0);
        header.versionAndType(type);
        header.flags(flags);
    }

    private int ack(Words words) {
        AckFlyweight ack = new AckFlyweight();
        int flags = (words.sets("sack") ? AckFlyweight.FLAG_SACK : 0)
                | (words.sets("limit") ? AckFlyweight.FLAG_CREDIT : 0)
                | (words.sets("hint") ? AckFlyweight.FLAG_HINT : 0)
                | (words.has("detour") ? AckFlyweight.FLAG_DETOUR : 0);
        begin(ack, PacketType.ACK, flags);
        ack.connectionId(ID_OF_THE_CONNECTION);
        ack.pathId((int) words.value("path", 0));
        ack.epoch((int) words.value("epoch", 0));
        ack.nextPathSequence(words.sequence("next", 0));
        ack.echoedTimestamp(timestampOf(words.text("echo")) + (int) words.value("later", 0));
        ack.cePackets((int) words.value("ce", 0));
        ack.receivedPackets((int) words.value("received", 0));
        ack.duplicates((int) words.value("dups", 0));
        ack.nextConnectionSequence(words.sequence("csn", 0));
        ack.errorsIssued((int) words.value("errors", 0));
        ack.hint((int) words.value("hint", 0));
        ack.creditStream(words.sets("limit") ? (int) words.value("stream", 5) : 0);
        ack.creditLimit(words.sequence("limit", 0));
        if (!words.sets("sack")) {
            return AckFlyweight.LENGTH;
        }
        for (int sequence : words.sequences("sack")) {
            int bit = sequence - ack.nextPathSequence() - 1;
            assertThat(bit).as("bit of sequence %d", sequence).isBetween(0, AckFlyweight.SACK_BITS - 1);
            ack.sackWord(bit >>> 6, ack.sackWord(bit >>> 6) | Long.MIN_VALUE >>> (bit & 63));
        }
        return AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH;
    }

    private int probe(Words words) {
        ProbeFlyweight probe = new ProbeFlyweight();
        begin(probe, PacketType.PROBE, words.has("any") ? ProbeFlyweight.FLAG_ANY_PATH : 0);
        probe.connectionId(ID_OF_THE_CONNECTION);
        probe.pathId((int) words.value("path", 0));
        probe.epoch((int) words.value("epoch", 0));
        probe.timestamp(nextTimestamp(words));
        return ProbeFlyweight.LENGTH;
    }

    private int credit(Words words) {
        CreditFlyweight credit = new CreditFlyweight();
        begin(credit, PacketType.CREDIT, 0);
        credit.connectionId(ID_OF_THE_CONNECTION);
        credit.entries(1);
        credit.entry(0, (int) words.value("stream", 5), words.sequence("limit", 0));
        return CreditFlyweight.LENGTH + CreditFlyweight.ENTRY_LENGTH;
    }

    private int creditRequest(Words words) {
        CreditRequestFlyweight request = new CreditRequestFlyweight();
        begin(request, PacketType.CREDIT_REQUEST, 0);
        request.connectionId(ID_OF_THE_CONNECTION);
        request.streamId((int) words.value("stream", 5));
        request.knownLimit(words.sequence("limit", 0));
        return CreditRequestFlyweight.LENGTH;
    }

    private int planeStatus(Words words) {
        PlaneStatusFlyweight status = new PlaneStatusFlyweight();
        begin(status, PacketType.PLANE_STATUS, 0);
        status.connectionId(ID_OF_THE_CONNECTION);
        status.sequence(words.sequence("sequence", 0));
        int mask = 0;
        for (String plane : words.text("are").split(",", 0)) {
            mask |= plane.equals("none") ? 0 : 1 << Integer.parseInt(plane);
        }
        status.planes(mask);
        return PlaneStatusFlyweight.LENGTH;
    }

    private int data(Words words) {
        Opcode opcode = Opcode.valueOf(words.text("op", "WRITE"));
        DataFlyweight data = new DataFlyweight();
        int flags = (words.has("again") ? DataFlyweight.FLAG_RETRANSMIT : 0)
                | (words.has("end") ? DataFlyweight.FLAG_MESSAGE_END : 0)
                | (words.has("solicited") ? DataFlyweight.FLAG_SOLICITED : 0);
        begin(data, PacketType.DATA, flags);
        data.connectionId(ID_OF_THE_CONNECTION);
        data.pathId((int) words.value("path", 0));
        data.epoch((int) words.value("epoch", 0));
        data.pathSequence(words.sequence("seq", 0));
        data.connectionSequence(words.sequence("csn", 0));
        data.timestamp(nextTimestamp(words));
        data.streamId((int) words.value("stream", 5));
        data.opcode(opcode);
        data.messageSequence(words.sequence("msn", 0));
        data.transmitCount((int) words.value("count", 1));
        int payload = opcode == Opcode.ERROR ? 0 : (int) words.value("bytes", DATA_BYTES);
        data.payloadLength(payload);
        header(words, opcode, payload);
        int begin = DataFlyweight.LENGTH + opcode.headerLength();
        packet.setMemory(begin, payload, (byte) words.value("fill", 1));
        return begin + payload;
    }

    private void header(Words words, Opcode opcode, int payload) {
        if (opcode == Opcode.ERROR) {
            ErrorHeaderFlyweight error = new ErrorHeaderFlyweight();
            error.wrap(packet, DataFlyweight.LENGTH);
            error.syndrome(Syndrome.valueOf(words.text("syndrome")));
        } else if (opcode.placesByAddress()) {
            WriteHeaderFlyweight write = new WriteHeaderFlyweight();
            write.wrap(packet, DataFlyweight.LENGTH);
            write.remoteAddress(memoryAddress + words.value("at", 0));
            write.rkey((int) words.value("rkey", memoryKey));
            write.messageLength(words.value("of", payload));
            if (opcode.consumesReceive()) {
                write.receiveNumber(words.sequence("receive", 0));
                write.immediate(words.sequence("imm", 0));
            }
        } else {
            SendHeaderFlyweight send = new SendHeaderFlyweight();
            send.wrap(packet, DataFlyweight.LENGTH);
            send.receiveNumber(words.sequence("receive", 0));
            send.messageOffset(words.value("offset", 0));
            send.messageLength(words.value("of", payload));
            if (opcode.carriesImmediate()) {
                send.immediate(words.sequence("imm", 0));
            }
        }
    }

    private int nextTimestamp(Words words) {
        lastTimestamp++;
        remember(words.name(), lastTimestamp);
        return lastTimestamp;
    }
}
