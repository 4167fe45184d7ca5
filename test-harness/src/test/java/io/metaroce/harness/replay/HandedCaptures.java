// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.link.FrameBuilder;
import io.metaroce.pcap.CaptureFormat;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.CaptureWriter;
import io.metaroce.pcap.PacketRecord;
import io.metaroce.port.IpAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;

/** The captures that somebody might hand us: made from the seeded corpus and by hand, so that none needs to be kept. */
final class HandedCaptures {
    private static final int ETHERNET = 1;
    private static final int SLL2 = 276;
    private static final int NONE = Integer.MAX_VALUE;

    private HandedCaptures() {}

    static Map<String, byte[]> all() throws IOException {
        byte[] clean = seeded("clean");
        Map<String, byte[]> captures = new LinkedHashMap<>();
        captures.put("clean", clean);
        captures.put("loss-1-percent", seeded("loss-1-percent"));
        captures.put("path-death", seeded("path-killed"));
        captures.put("plane-death", planeDeath());
        captures.put("duplicate-storm", duplicateStorm());
        captures.put("wrapped-sequences", wrapped());
        captures.put("nano-two-interfaces", rewritten(clean, ETHERNET, NONE, 2, frame -> frame));
        captures.put("snaplen-96", rewritten(clean, ETHERNET, 96, 1, frame -> frame));
        captures.put("sll2", rewritten(clean, SLL2, NONE, 1, HandedCaptures::cooked));
        byte[] tagged = seeded("ipv6-vlan-marked");
        captures.put("qinq-ipv6", rewritten(tagged, ETHERNET, NONE, 1, HandedCaptures::tagged));
        captures.put("truncated-tail", Arrays.copyOf(clean, clean.length - 77));
        captures.put("not-ours", notOurs());
        return captures;
    }

    /** A capture of the corpus, as it was kept: what the transport sends today is not asked. */
    private static byte[] seeded(String name) throws IOException {
        return Files.readAllBytes(Path.of("src", "test", "resources", "captures", name + ".pcapng"));
    }

    private static byte[] planeDeath() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        SampleTraffic traffic = new SampleTraffic(Channels.newChannel(file), 2, 256, NONE);
        for (int i = 0; i < 20; i++) {
            traffic.round(0, 4);
            for (int path = 0; path < 4; path++) {
                traffic.acknowledge(path);
            }
        }
        int first = traffic.connectionSequence();
        traffic.round(0, 4).acknowledge(0).acknowledge(2).pause(300_000).planes(0b01);
        traffic.move(first + 1, 0).move(first + 3, 2);
        for (int i = 0; i < 20; i++) {
            traffic.round(0, 1).round(2, 3).acknowledge(0).acknowledge(2);
        }
        traffic.flush();
        return file.toByteArray();
    }

    private static byte[] duplicateStorm() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        SampleTraffic traffic = new SampleTraffic(Channels.newChannel(file), 1, 256, NONE).copies(4);
        for (int i = 0; i < 50; i++) {
            traffic.round(0, 3).acknowledge(0).acknowledge(1).acknowledge(2);
        }
        traffic.flush();
        return file.toByteArray();
    }

    private static byte[] wrapped() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        // 68.7 s after a multiple of 2^32 units of 16 ns, less a little: timestamps wrap on the way, too.
        long clockNs = ((1L << 32) * 16) * 26_000_000L / 1_000_000L - 100_000;
        SampleTraffic traffic = new SampleTraffic(Channels.newChannel(file), 1, 256, NONE).from(-20, -40, clockNs);
        for (int i = 0; i < 50; i++) {
            traffic.round(0, 2).acknowledge(0).acknowledge(1);
        }
        traffic.flush();
        return file.toByteArray();
    }

    /** The same packets in other clothes. */
    private static byte[] rewritten(
            byte[] capture, int linkType, int snapLength, int interfaces, UnaryOperator<byte[]> dress)
            throws IOException {
        CaptureReader reader = new CaptureReader(Channels.newChannel(new ByteArrayInputStream(capture)));
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        CaptureWriter writer = new CaptureWriter(Channels.newChannel(file), CaptureFormat.PCAPNG);
        for (int i = 0; i < interfaces; i++) {
            writer.addInterface("tap" + i, linkType, snapLength == NONE ? 0 : snapLength);
        }
        PacketRecord record = new PacketRecord();
        while (reader.next(record)) {
            byte[] frame = new byte[record.capturedLength()];
            record.data().getBytes(0, frame);
            byte[] dressed = dress.apply(frame);
            UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(dressed.length));
            buffer.putBytes(0, dressed);
            writer.direction(record.direction()).originalLength(dressed.length);
            int tap = (int) (record.number() % interfaces);
            writer.write(tap, record.timeNs(), buffer, 0, Math.min(dressed.length, snapLength));
        }
        writer.flush();
        return file.toByteArray();
    }

    /** Linux's cooked header, version 2, in place of Ethernet's. */
    private static byte[] cooked(byte[] ethernet) {
        byte[] frame = new byte[20 + ethernet.length - 14];
        frame[0] = ethernet[12];
        frame[1] = ethernet[13];
        frame[7] = 3;
        frame[9] = 1;
        frame[11] = 6;
        System.arraycopy(ethernet, 14, frame, 20, ethernet.length - 14);
        return frame;
    }

    /** One more tag, of a provider. */
    private static byte[] tagged(byte[] ethernet) {
        byte[] frame = new byte[ethernet.length + 4];
        System.arraycopy(ethernet, 0, frame, 0, 12);
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xa8;
        frame[15] = 100;
        System.arraycopy(ethernet, 12, frame, 16, ethernet.length - 12);
        return frame;
    }

    private static byte[] notOurs() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        CaptureWriter writer = new CaptureWriter(Channels.newChannel(file), CaptureFormat.PCAP_MICRO);
        writer.addInterface("", ETHERNET, 0);
        UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(2048));
        for (int i = 0; i < 20; i++) {
            frame.setMemory(0, 2048, (byte) i);
            int length = new FrameBuilder()
                    .ethernet(1, 2)
                    .addresses(0, IpAddress.mapped(0x0a000001), 0, IpAddress.mapped(0x0a000002))
                    .ports(5353, i % 2 == 0 ? 53 : 4791)
                    .build(frame, 0, 64);
            if (i % 5 == 0) {
                // ARP, which is not IP.
                frame.putShort(12, (short) 0x0608);
            }
            writer.write(0, 1_000_000L * i, frame, 0, length);
        }
        writer.flush();
        return file.toByteArray();
    }
}
