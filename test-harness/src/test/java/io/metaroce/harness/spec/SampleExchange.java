// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import io.metaroce.link.FrameBuilder;
import io.metaroce.pcap.CaptureFormat;
import io.metaroce.pcap.CaptureWriter;
import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.CreditRequestFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.ErrorHeaderFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.SendHeaderFlyweight;
import io.metaroce.wire.Syndrome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import org.agrona.concurrent.UnsafeBuffer;

/** A capture of an exchange in which everything happens once that a dissector can tell; and of any bytes. */
final class SampleExchange {
    private static final int CLIENT = 0xc1;
    private static final int SERVER = 0x5e;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final UnsafeBuffer mop = new UnsafeBuffer(ByteBuffer.allocateDirect(9000));
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(9200));
    private final CaptureWriter writer = new CaptureWriter(Channels.newChannel(file), CaptureFormat.PCAPNG);
    private long timeNs = 1_700_000_000_000_000_000L;

    SampleExchange() throws IOException {
        writer.addInterface("plane0", 1, 0);
    }

    /** A gap, its repair, a copy, a moved content, a mark, credit asked and given, a refusal. */
    byte[] lossy() throws IOException {
        send(0, 0, 0, 1, 100, Ecn.ECT_0);
        send(0, 2, 2, 1, 102, Ecn.CE);
        acknowledge(1, 102, 0x8000_0000_0000_0000L);
        send(0, 1, 1, 2, 103, Ecn.ECT_0);
        send(0, 1, 1, 2, 103, Ecn.ECT_0);
        acknowledge(3, 103, 0);
        send(1, 0, 2, 1, 104, Ecn.ECT_0);
        creditRequest();
        credit();
        refuse();
        writer.flush();
        return file.toByteArray();
    }

    /** A frame with any payload, from the client to a port of the server, cut at a length. */
    SampleExchange datagram(byte[] packet, int port, int snapLength) throws IOException {
        mop.putBytes(0, packet);
        write(true, packet.length, Ecn.ECT_0, port, snapLength);
        return this;
    }

    byte[] bytes() throws IOException {
        writer.flush();
        return file.toByteArray();
    }

    private void send(int path, int sequence, int csn, int count, int timestamp, int ecn) throws IOException {
        DataFlyweight data = data(SERVER, Opcode.SEND, count > 1 ? DataFlyweight.FLAG_RETRANSMIT : 0);
        data.pathId(path);
        data.pathSequence(sequence);
        data.connectionSequence(csn);
        data.timestamp(timestamp);
        data.transmitCount(count);
        data.payloadLength(4);
        SendHeaderFlyweight send = new SendHeaderFlyweight();
        send.wrap(mop, DataFlyweight.LENGTH);
        send.messageOffset(4L * csn);
        send.messageLength(12);
        seal(true, DataFlyweight.LENGTH + SendHeaderFlyweight.LENGTH + 4, ecn);
    }

    private void acknowledge(int next, int echo, long sack) throws IOException {
        AckFlyweight ack = new AckFlyweight();
        ack.wrap(mop, 0);
        ack.versionAndType(PacketType.ACK);
        ack.flags(sack == 0 ? 0 : AckFlyweight.FLAG_SACK);
        ack.connectionId(CLIENT);
        ack.nextPathSequence(next);
        ack.echoedTimestamp(echo);
        ack.sackWord(0, sack);
        seal(false, AckFlyweight.LENGTH + (sack == 0 ? 0 : AckFlyweight.SACK_LENGTH), Ecn.ECT_0);
    }

    private void creditRequest() throws IOException {
        CreditRequestFlyweight request = new CreditRequestFlyweight();
        request.wrap(mop, 0);
        request.versionAndType(PacketType.CREDIT_REQUEST);
        request.streamId(7);
        request.connectionId(SERVER);
        request.knownLimit(1);
        seal(true, CreditRequestFlyweight.LENGTH, Ecn.ECT_0);
    }

    private void credit() throws IOException {
        CreditFlyweight credit = new CreditFlyweight();
        credit.wrap(mop, 0);
        credit.versionAndType(PacketType.CREDIT);
        credit.entries(1);
        credit.connectionId(CLIENT);
        credit.entry(0, 7, 5);
        seal(false, CreditFlyweight.LENGTH + CreditFlyweight.ENTRY_LENGTH, Ecn.ECT_0);
    }

    private void refuse() throws IOException {
        data(CLIENT, Opcode.ERROR, DataFlyweight.FLAG_MESSAGE_END).transmitCount(1);
        ErrorHeaderFlyweight error = new ErrorHeaderFlyweight();
        error.wrap(mop, DataFlyweight.LENGTH);
        error.syndrome(Syndrome.LENGTH);
        seal(false, DataFlyweight.LENGTH + ErrorHeaderFlyweight.LENGTH, Ecn.ECT_0);
    }

    private DataFlyweight data(int connection, Opcode opcode, int flags) {
        mop.setMemory(0, 256, (byte) 0);
        DataFlyweight data = new DataFlyweight();
        data.wrap(mop, 0);
        data.versionAndType(PacketType.DATA);
        data.flags(flags);
        data.connectionId(connection);
        data.streamId(7);
        data.opcode(opcode);
        return data;
    }

    private void seal(boolean isFromClient, int length, int ecn) throws IOException {
        write(isFromClient, new Crc32c().seal(mop, length), ecn, 4795, Integer.MAX_VALUE);
        mop.setMemory(0, 256, (byte) 0);
    }

    private void write(boolean isFromClient, int length, int ecn, int port, int snapLength) throws IOException {
        long client = IpAddress.mapped(0xc0000201);
        long server = IpAddress.mapped(0xc0000202);
        FrameBuilder builder = new FrameBuilder()
                .ethernet(0x020000000007L, 0x020000000001L)
                .addresses(0, isFromClient ? client : server, 0, isFromClient ? server : client)
                .ports(isFromClient ? 49153 : 49154, port)
                .trafficClass(0, ecn);
        frame.putBytes(builder.headerLength(), mop, 0, length);
        int frameLength = builder.build(frame, 0, length);
        writer.originalLength(frameLength).write(0, timeNs, frame, 0, Math.min(frameLength, snapLength));
        timeNs += 1500;
    }
}
