// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The classic format.
 *
 * <pre>
 *   file header, 24 bytes                           record header, 16 bytes, then the captured bytes
 *   0  magic, its byte order is the file's          0  seconds since 1970
 *   4  version major:16, minor:16 (2.4)             4  microseconds or nanoseconds
 *   8  zone:32, accuracy:32, unused                 8  captured length
 *   16 snap length                                 12  original length
 *   20 link type: 28-31 FCS length / 2, 26 stated, 0-15 type
 * </pre>
 */
final class PcapRecords {
    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final int VERSION_MAJOR = 2;
    private static final int FRAME_CHECK_STATED = 0x0400_0000;

    private final ByteSource source;
    private final ByteOrder order;
    private final boolean isNano;
    private final CaptureInterfaces interfaces;
    private final CaptureProblems problems;
    private long packets;

    PcapRecords(
            ByteSource source,
            ByteOrder order,
            boolean isNano,
            CaptureInterfaces interfaces,
            CaptureProblems problems) {
        this.source = source;
        this.order = order;
        this.isNano = isNano;
        this.interfaces = interfaces;
        this.problems = problems;
    }

    boolean begin() throws IOException {
        if (!source.has(FILE_HEADER_BYTES)) {
            problems.end(CaptureProblem.TAIL_UNFINISHED, "the file header has " + source.available() + " bytes of 24");
            return false;
        }
        DirectBuffer bytes = source.bytes();
        int at = source.head();
        int major = bytes.getShort(at + 4, order) & 0xffff;
        if (major != VERSION_MAJOR) {
            problems.end(
                    CaptureProblem.VERSION_UNKNOWN, "pcap " + major + '.' + (bytes.getShort(at + 6, order) & 0xffff));
            return false;
        }
        int link = bytes.getInt(at + 20, order);
        int frameCheckBytes = (link & FRAME_CHECK_STATED) != 0 ? 2 * (link >>> 28) : 0;
        interfaces.add(new CaptureInterface(
                link & 0xffff,
                bytes.getInt(at + 16, order),
                "",
                frameCheckBytes,
                isNano ? CaptureTime.NANOSECONDS : CaptureTime.MICROSECONDS,
                0));
        source.advance(FILE_HEADER_BYTES);
        return true;
    }

    boolean next(PacketRecord packet) throws IOException {
        if (!source.has(RECORD_HEADER_BYTES)) {
            if (source.available() > 0) {
                unfinished();
            }
            return false;
        }
        DirectBuffer bytes = source.bytes();
        int at = source.head();
        long captured = bytes.getInt(at + 8, order) & 0xffff_ffffL;
        if (captured > CaptureReader.RECORD_BYTES_MAX) {
            problems.end(
                    CaptureProblem.RECORD_TOO_LONG,
                    "packet " + (packets + 1) + " at byte " + source.position() + " claims " + captured);
            return false;
        }
        if (!source.has(RECORD_HEADER_BYTES + (int) captured)) {
            unfinished();
            return false;
        }
        deliver(packet, (int) captured);
        return true;
    }

    private void deliver(PacketRecord packet, int captured) {
        DirectBuffer bytes = source.bytes();
        int at = source.head();
        long original = bytes.getInt(at + 12, order) & 0xffff_ffffL;
        CaptureInterface described = interfaces.at(0);
        packets++;
        packet.begin(packets, 0, described);
        packet.time(CaptureTime.ns(bytes.getInt(at, order), bytes.getInt(at + 4, order), isNano));
        packet.data(source.window(), at + RECORD_HEADER_BYTES, captured, original);
        checkLengths(problems, captured, original, described.snapLengthBytes());
        source.advance(RECORD_HEADER_BYTES + captured);
    }

    private void unfinished() {
        problems.end(
                CaptureProblem.TAIL_UNFINISHED,
                "packet " + (packets + 1) + " at byte " + source.position() + " has " + source.available() + " bytes");
    }

    /** Counts lengths that contradict each other; a snap length of 0 or all ones means none. */
    static void checkLengths(CaptureProblems problems, int captured, long original, int snapLength) {
        if (captured > original) {
            problems.count(CaptureProblem.CAPTURED_ABOVE_ORIGINAL);
        }
        if (snapLength != 0 && Integer.compareUnsigned(captured, snapLength) > 0) {
            problems.count(CaptureProblem.CAPTURED_ABOVE_SNAPLEN);
        }
    }
}
