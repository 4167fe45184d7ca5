// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.link.FrameBuilder;
import io.metaroce.pcap.CaptureFormat;
import io.metaroce.pcap.CaptureWriter;
import io.metaroce.port.IpAddress;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.SendHeaderFlyweight;
import io.metaroce.wire.WriteHeaderFlyweight;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import org.agrona.concurrent.UnsafeBuffer;

/** A capture made packet by packet, for tests. */
final class TestCapture {
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final UnsafeBuffer mop = new UnsafeBuffer(ByteBuffer.allocateDirect(9000));
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(9200));
    private final FrameBuilder builder = new FrameBuilder()
            .ethernet(0x020000000007L, 0x020000000001L)
            .addresses(0, IpAddress.mapped(0xc0000201), 0, IpAddress.mapped(0xc6336407))
            .ports(49153, 4795);
    private final CaptureWriter writer;
    private long timeNs = 1_700_000_000_000_000_000L;
    private int length;

    TestCapture() throws IOException {
        writer = new CaptureWriter(Channels.newChannel(file), CaptureFormat.PCAPNG);
        writer.addInterface("plane0", 1, 0);
    }

    CaptureWriter writer() {
        return writer;
    }

    FrameBuilder builder() {
        return builder;
    }

    TestCapture write(int payload) {
        mop.setMemory(0, 9000, (byte) 0);
        DataFlyweight data = data(Opcode.WRITE, payload);
        data.flags(DataFlyweight.FLAG_ACK_REQUEST | DataFlyweight.FLAG_RETRANSMIT);
        WriteHeaderFlyweight header = new WriteHeaderFlyweight();
        header.wrap(mop, DataFlyweight.LENGTH);
        header.remoteAddress(0x7f00_0000_1000L);
        header.rkey(0x1234_5678);
        header.messageLength(1 << 20);
        return seal(DataFlyweight.LENGTH + WriteHeaderFlyweight.LENGTH + payload);
    }

    TestCapture sendImmediate(int payload) {
        mop.setMemory(0, 9000, (byte) 0);
        data(Opcode.SEND_IMM, payload).flags(DataFlyweight.FLAG_MESSAGE_END);
        SendHeaderFlyweight header = new SendHeaderFlyweight();
        header.wrap(mop, DataFlyweight.LENGTH);
        header.receiveNumber(8);
        header.messageOffset(1024);
        header.messageLength(1024 + payload);
        header.immediate(0xcafe);
        return seal(DataFlyweight.LENGTH + SendHeaderFlyweight.LENGTH_IMMEDIATE + payload);
    }

    TestCapture ack() {
        mop.setMemory(0, 9000, (byte) 0);
        AckFlyweight ack = new AckFlyweight();
        ack.wrap(mop, 0);
        ack.versionAndType(PacketType.ACK);
        ack.flags(AckFlyweight.FLAG_SACK | AckFlyweight.FLAG_HINT | AckFlyweight.FLAG_CREDIT);
        ack.connectionId(0xdeadbeef);
        ack.pathId(3);
        ack.epoch(1);
        ack.nextPathSequence(-2);
        ack.echoedTimestamp(99);
        ack.delay(4);
        ack.cePackets(2);
        ack.receivedPackets(20);
        ack.duplicates(1);
        ack.receiveLevel(17);
        ack.hintEpoch(5);
        ack.hint(40_000);
        ack.nextConnectionSequence(70);
        ack.creditStream(9);
        ack.creditLimit(64);
        // Sequences -1, 0 and 1 across the wrap, then 5.
        ack.sackWord(0, 0xe200_0000_0000_0000L);
        return seal(AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH);
    }

    TestCapture probe(int padding) {
        mop.setMemory(0, 9000, (byte) 0);
        ProbeFlyweight probe = new ProbeFlyweight();
        probe.wrap(mop, 0);
        probe.versionAndType(PacketType.PROBE);
        probe.flags(ProbeFlyweight.FLAG_ANY_PATH);
        probe.connectionId(7);
        probe.pathId(1);
        probe.timestamp(5);
        probe.paddingLength(padding);
        return seal(ProbeFlyweight.LENGTH + padding);
    }

    TestCapture raw(byte... bytes) {
        mop.putBytes(0, bytes);
        length = bytes.length;
        return this;
    }

    /** Changes one byte of the packet laid out last, behind the seal. */
    TestCapture flip(int at) {
        mop.putByte(at, (byte) (mop.getByte(at) ^ 1));
        return this;
    }

    TestCapture frame() throws IOException {
        return frame(Integer.MAX_VALUE);
    }

    /** Puts the packet laid out last into a frame and the frame, cut at a snap length, into the capture. */
    TestCapture frame(int snapLength) throws IOException {
        frame.putBytes(builder.headerLength(), mop, 0, length);
        int frameLength = builder.build(frame, 0, length);
        writer.originalLength(frameLength).write(0, timeNs, frame, 0, Math.min(frameLength, snapLength));
        timeNs += 1500;
        return this;
    }

    byte[] bytes() throws IOException {
        writer.flush();
        return file.toByteArray();
    }

    private DataFlyweight data(Opcode opcode, int payload) {
        DataFlyweight data = new DataFlyweight();
        data.wrap(mop, 0);
        data.versionAndType(PacketType.DATA);
        data.connectionId(0xdeadbeef);
        data.pathId(3);
        data.epoch(1);
        data.pathSequence(-1);
        data.connectionSequence(12);
        data.timestamp(1000);
        data.streamId(9);
        data.opcode(opcode);
        data.messageSequence(4);
        data.payloadLength(payload);
        data.transmitCount(2);
        return data;
    }

    private TestCapture seal(int contentLength) {
        length = new Crc32c().seal(mop, contentLength);
        return this;
    }
}
