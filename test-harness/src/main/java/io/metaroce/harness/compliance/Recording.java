// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.pcap.CaptureFormat;
import io.metaroce.pcap.CaptureWriter;
import io.metaroce.pcap.PacketDirection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The datagrams of one case in order, numbered from 1 as in the capture that is saved. */
final class Recording {
    private static final int LINK_TYPE_RAW = 101;
    private static final int IPV4_UDP_BYTES = 28;

    /** One datagram. */
    static final class Frame {
        final int number;
        final boolean isOurs;
        final long timeNs;
        final byte[] bytes;
        final InetSocketAddress from;
        final InetSocketAddress to;
        final @Nullable Packet packet;
        String comment;

        Frame(int number, boolean isOurs, byte[] bytes, InetSocketAddress[] ends, String comment) {
            this.number = number;
            this.isOurs = isOurs;
            this.timeNs = System.nanoTime();
            this.bytes = bytes;
            this.from = ends[0];
            this.to = ends[1];
            Packet read = null;
            String problem = "";
            if (!isOurs) {
                try {
                    read = Packet.decode(bytes);
                } catch (IllegalArgumentException e) {
                    problem = String.valueOf(e.getMessage());
                }
            }
            this.packet = read;
            this.comment = comment + problem;
        }
    }

    private final List<Frame> frames = new ArrayList<>();

    synchronized Frame add(boolean isOurs, byte[] bytes, InetSocketAddress from, InetSocketAddress to, String comment) {
        Frame frame = new Frame(frames.size() + 1, isOurs, bytes, new InetSocketAddress[] {from, to}, comment);
        frames.add(frame);
        notifyAll();
        return frame;
    }

    /** The first frame behind a number; null if there is none before the deadline. */
    synchronized @Nullable Frame after(int number, long deadlineNs) throws InterruptedException {
        while (frames.size() <= number) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                return null;
            }
            wait(leftNs / 1_000_000, (int) (leftNs % 1_000_000));
        }
        return frames.get(number);
    }

    synchronized int size() {
        return frames.size();
    }

    /** Writes pcapng with a comment at every packet, and what was expected at the one that decided; times are since some start. */
    synchronized void save(Path file, @Nullable CaseFailure failure) throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            CaptureWriter writer = new CaptureWriter(out, CaptureFormat.PCAPNG);
            int plane = writer.addInterface("plane0", LINK_TYPE_RAW, 0);
            for (Frame frame : frames) {
                byte[] bytes = framed(frame);
                UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
                buffer.putBytes(0, bytes);
                writer.direction(frame.isOurs ? PacketDirection.OUTBOUND : PacketDirection.INBOUND)
                        .comment(remark(frame, failure))
                        .write(plane, frame.timeNs, buffer, 0, bytes.length);
            }
            writer.flush();
        }
    }

    private static String remark(Frame frame, @Nullable CaseFailure failure) {
        String remark = frame.packet + " " + frame.comment;
        String said = frame.isOurs ? frame.comment : remark;
        return failure != null && failure.frame == frame.number
                ? said + " DECIDES: expected " + failure.expected
                : said;
    }

    /** IPv4 and UDP headers as the frame had them on the wire, as far as a socket can know: checksums are not computed. */
    private static byte[] framed(Frame frame) {
        ByteBuffer out = ByteBuffer.allocate(IPV4_UDP_BYTES + frame.bytes.length);
        out.putShort((short) 0x4502)
                .putShort((short) out.capacity())
                .putInt(0x4000)
                .putShort((short) 0x4011);
        byte[] from = frame.from.getAddress().getAddress();
        byte[] to = frame.to.getAddress().getAddress();
        out.putShort((short) 0).put(from, from.length - 4, 4).put(to, to.length - 4, 4);
        int sum = 0;
        for (int i = 0; i < 20; i += 2) {
            sum += out.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        out.putShort(10, (short) ~((sum & 0xffff) + (sum >>> 16)));
        out.putShort((short) frame.from.getPort()).putShort((short) frame.to.getPort());
        out.putShort((short) (8 + frame.bytes.length)).putShort((short) 0).put(frame.bytes);
        return out.array();
    }
}
