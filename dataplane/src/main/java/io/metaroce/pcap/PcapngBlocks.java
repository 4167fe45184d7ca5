// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The block format, each block framed by its length on both sides. Blocks that carry no packet are read for what
 * packets need (byte order, interfaces) or skipped, however long they are.
 *
 * <pre>
 *   0          4              8                                    total - 4
 *   +----------+--------------+------------------------------------+--------------+
 *   | type     | total length | body, options, padded to 4         | total length |
 *   +----------+--------------+------------------------------------+--------------+
 * </pre>
 */
final class PcapngBlocks {
    private static final int BLOCK_HEADER_BYTES = 8;
    private static final int BLOCK_TRAILER_BYTES = 4;
    private static final int BLOCK_BYTES_MIN = BLOCK_HEADER_BYTES + BLOCK_TRAILER_BYTES;
    private static final int SECTION_BYTES_MIN = BLOCK_BYTES_MIN + 16;
    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int VERSION_MAJOR = 1;

    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int INTERFACE_DESCRIPTION = 1;
    private static final int OBSOLETE_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    private final ByteSource source;
    private final CaptureInterfaces interfaces;
    private final CaptureProblems problems;
    private final PcapngPackets packets;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    PcapngBlocks(ByteSource source, CaptureInterfaces interfaces, CaptureProblems problems) {
        this.source = source;
        this.interfaces = interfaces;
        this.problems = problems;
        this.packets = new PcapngPackets(source, interfaces, problems);
    }

    /** Reads blocks until one delivers a packet; the file bounds the loop, each turn consumes a block. */
    boolean next(PacketRecord packet) throws IOException {
        boolean isDelivered = false;
        while (!isDelivered) {
            if (!source.has(BLOCK_HEADER_BYTES)) {
                if (source.available() > 0) {
                    unfinished();
                }
                return false;
            }
            int type = source.bytes().getInt(source.head(), order);
            if (type == SECTION_HEADER && !beginSection()) {
                return false;
            }
            long total = source.bytes().getInt(source.head() + 4, order) & 0xffff_ffffL;
            if (total < BLOCK_BYTES_MIN || (total & 3) != 0) {
                problems.end(CaptureProblem.BLOCK_LENGTH_INVALID, "length " + total + " at byte " + source.position());
                return false;
            }
            if (!isNeeded(type)) {
                if (!source.skip(total)) {
                    unfinished();
                    return false;
                }
                continue;
            }
            if (!isWhole(total)) {
                return false;
            }
            isDelivered = read(type, (int) total, packet);
            source.advance((int) total);
        }
        return true;
    }

    private static boolean isNeeded(int type) {
        return switch (type) {
            case INTERFACE_DESCRIPTION, OBSOLETE_PACKET, SIMPLE_PACKET, ENHANCED_PACKET -> true;
            default -> false;
        };
    }

    private boolean isWhole(long total) throws IOException {
        if (total > CaptureReader.RECORD_BYTES_MAX) {
            problems.end(CaptureProblem.RECORD_TOO_LONG, "block at byte " + source.position() + " claims " + total);
            return false;
        }
        if (!source.has((int) total)) {
            unfinished();
            return false;
        }
        return true;
    }

    private boolean read(int type, int total, PacketRecord packet) {
        int head = source.head();
        if (source.bytes().getInt(head + total - BLOCK_TRAILER_BYTES, order) != total) {
            problems.count(CaptureProblem.BLOCK_TRAILER_DIFFERS);
        }
        int body = head + BLOCK_HEADER_BYTES;
        int end = head + total - BLOCK_TRAILER_BYTES;
        return switch (type) {
            case INTERFACE_DESCRIPTION -> {
                describe(body, end);
                yield false;
            }
            case ENHANCED_PACKET -> packets.enhanced(body, end, order, packet);
            case SIMPLE_PACKET -> packets.simple(body, end, order, packet);
            default -> packets.obsolete(body, end, order, packet);
        };
    }

    /** The section header decides the byte order, its own length included; interfaces are numbered from 0 again. */
    private boolean beginSection() throws IOException {
        if (!source.has(SECTION_BYTES_MIN)) {
            unfinished();
            return false;
        }
        DirectBuffer bytes = source.bytes();
        int at = source.head();
        int magic = bytes.getInt(at + 8, ByteOrder.BIG_ENDIAN);
        if (magic != BYTE_ORDER_MAGIC && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
            problems.end(CaptureProblem.BYTE_ORDER_INVALID, "0x" + Integer.toHexString(magic));
            return false;
        }
        order = magic == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int major = bytes.getShort(at + 12, order) & 0xffff;
        if (major != VERSION_MAJOR) {
            problems.end(CaptureProblem.VERSION_UNKNOWN, "pcapng " + major);
            return false;
        }
        interfaces.beginSection();
        return true;
    }

    private void describe(int body, int end) {
        CaptureInterface described = PcapngInterface.read(source.bytes(), body, end, order);
        if (described == null) {
            problems.count(CaptureProblem.BLOCK_MALFORMED);
        } else if (!interfaces.add(described)) {
            problems.count(CaptureProblem.INTERFACES_TOO_MANY);
        }
    }

    private void unfinished() {
        problems.end(
                CaptureProblem.TAIL_UNFINISHED,
                "block at byte " + source.position() + " has " + source.available() + " bytes");
    }
}
