// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.link.FrameBuilder;
import io.metaroce.pcap.CaptureFormat;
import io.metaroce.pcap.CaptureWriter;
import io.metaroce.pcap.PacketDirection;
import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PlaneStatusFlyweight;
import io.metaroce.wire.Timestamp;
import io.metaroce.wire.WriteHeaderFlyweight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.agrona.concurrent.UnsafeBuffer;

/** Traffic made packet by packet at the sender's tap, right by construction, with faults where a test asks for them. */
final class SampleTraffic {
    static final int SENDER_ID = 0xa;
    static final int RECEIVER_ID = 0xb;
    private static final int PATHS_MAX = 64;

    private final CaptureWriter writer;
    private final UnsafeBuffer mop = new UnsafeBuffer(ByteBuffer.allocateDirect(9000));
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(9200));
    private final DataFlyweight data = new DataFlyweight();
    private final WriteHeaderFlyweight write = new WriteHeaderFlyweight();
    private final AckFlyweight ack = new AckFlyweight();
    private final Crc32c crc = new Crc32c();
    private final FrameBuilder[] forth = new FrameBuilder[PATHS_MAX];
    private final FrameBuilder[] back = new FrameBuilder[PATHS_MAX];
    private final int[] next = new int[PATHS_MAX];
    private final int[] lastTimestamp = new int[PATHS_MAX];
    private final int payloadBytes;
    private final int snapLength;
    private final int planes;
    private int copies = 1;
    private int connectionSequence;
    private int received;
    private long timeNs = 1_790_000_000_000_000_000L;

    SampleTraffic(WritableByteChannel channel, int planes, int payloadBytes, int snapLength) throws IOException {
        writer = new CaptureWriter(channel, CaptureFormat.PCAPNG);
        this.planes = planes;
        this.payloadBytes = payloadBytes;
        this.snapLength = snapLength;
        for (int plane = 0; plane < planes; plane++) {
            writer.addInterface("plane" + plane, 1, snapLength == Integer.MAX_VALUE ? 0 : snapLength);
        }
        for (int path = 0; path < PATHS_MAX; path++) {
            long here = IpAddress.mapped(0xc0000201 + 256 * (path % planes));
            long there = IpAddress.mapped(0xc0000202 + 256 * (path % planes));
            forth[path] = new FrameBuilder()
                    .ethernet(0x020000000002L, 0x020000000001L)
                    .addresses(0, here, 0, there)
                    .ports(49_152 + path, 4795)
                    .trafficClass(0, Ecn.ECT_0);
            back[path] = new FrameBuilder()
                    .ethernet(0x020000000001L, 0x020000000002L)
                    .addresses(0, there, 0, here)
                    .ports(50_152 + path, 4795)
                    .trafficClass(0, Ecn.ECT_0);
        }
    }

    /** Every packet is written so many times. */
    SampleTraffic copies(int count) {
        copies = count;
        return this;
    }

    SampleTraffic from(int pathSequence, int csn, long clockNs) {
        java.util.Arrays.fill(next, pathSequence);
        connectionSequence = csn;
        timeNs = clockNs;
        return this;
    }

    /** Sends new contents, one on each of some paths. */
    SampleTraffic round(int fromPath, int toPath) throws IOException {
        for (int path = fromPath; path < toPath; path++) {
            send(path, next[path]++, connectionSequence++, 1, 0);
        }
        return this;
    }

    /** Sends a content once more, on a path that had another sequence for it before. */
    SampleTraffic move(int csn, int toPath) throws IOException {
        send(toPath, next[toPath]++, csn, 1, DataFlyweight.FLAG_RETRANSMIT);
        return this;
    }

    SampleTraffic again(int path, int sequence, int csn, int count, int flags) throws IOException {
        send(path, sequence, csn, count, flags);
        return this;
    }

    /** All of a path has arrived, a round trip later. */
    SampleTraffic acknowledge(int path) throws IOException {
        return acknowledge(path, next[path]);
    }

    /** A path has arrived up to a sequence; the echo is of its last packet. */
    SampleTraffic acknowledge(int path, int expected) throws IOException {
        timeNs += 10_000;
        mop.setMemory(0, AckFlyweight.LENGTH, (byte) 0);
        ack.wrap(mop, 0);
        ack.versionAndType(PacketType.ACK);
        ack.connectionId(SENDER_ID);
        ack.pathId(path);
        ack.nextPathSequence(expected);
        ack.echoedTimestamp(lastTimestamp[path]);
        ack.receivedPackets(++received);
        ack.nextConnectionSequence(connectionSequence);
        seal(back[path], path, AckFlyweight.LENGTH, PacketDirection.INBOUND);
        return this;
    }

    SampleTraffic planes(int usable) throws IOException {
        PlaneStatusFlyweight status = new PlaneStatusFlyweight();
        mop.setMemory(0, PlaneStatusFlyweight.LENGTH, (byte) 0);
        status.wrap(mop, 0);
        status.versionAndType(PacketType.PLANE_STATUS);
        status.connectionId(SENDER_ID);
        status.sequence(1);
        status.planes(usable);
        seal(back[0], 0, PlaneStatusFlyweight.LENGTH, PacketDirection.INBOUND);
        return this;
    }

    SampleTraffic pause(long ns) {
        timeNs += ns;
        return this;
    }

    int connectionSequence() {
        return connectionSequence;
    }

    void flush() throws IOException {
        writer.flush();
    }

    private void send(int path, int sequence, int csn, int count, int flags) throws IOException {
        timeNs += 1_000;
        lastTimestamp[path] = Timestamp.ofNs(timeNs);
        data.wrap(mop, 0);
        data.versionAndType(PacketType.DATA);
        data.flags(flags | DataFlyweight.FLAG_MESSAGE_END);
        data.pathId(path);
        data.epoch(0);
        data.connectionId(RECEIVER_ID);
        data.pathSequence(sequence);
        data.connectionSequence(csn);
        data.timestamp(lastTimestamp[path]);
        data.streamId(1);
        data.opcode(Opcode.WRITE);
        data.backlog(0);
        data.messageSequence(csn);
        data.payloadLength(payloadBytes);
        data.transmitCount(count);
        write.wrap(mop, DataFlyweight.LENGTH);
        write.remoteAddress(0x1000);
        write.rkey(1);
        write.messageLength(payloadBytes);
        seal(
                forth[path],
                path,
                DataFlyweight.LENGTH + WriteHeaderFlyweight.LENGTH + payloadBytes,
                PacketDirection.OUTBOUND);
    }

    private void seal(FrameBuilder builder, int path, int length, PacketDirection direction) throws IOException {
        int whole = crc.seal(mop, length);
        frame.putBytes(builder.headerLength(), mop, 0, whole);
        int frameLength = builder.build(frame, 0, whole);
        for (int i = 0; i < copies; i++) {
            writer.direction(direction).originalLength(frameLength);
            writer.write(path % planes, timeNs, frame, 0, Math.min(frameLength, snapLength));
        }
    }
}
