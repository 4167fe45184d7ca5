// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The three kinds of block that carry a packet.
 *
 * <pre>
 *   enhanced (6)            obsolete (2)                     simple (3)
 *   0  interface:32         0  interface:16, drops:16        0  original length
 *   4  time high:32         4  time high:32                  4  data, as much as the snap length
 *   8  time low:32          8  time low:32                      and the block allow
 *   12 captured length      12 captured length
 *   16 original length      16 original length
 *   20 data, options        20 data, options
 * </pre>
 */
final class PcapngPackets {
    private static final int OPTION_FLAGS = 2;
    private static final int OPTION_DROPPED = 4;
    private static final int FIXED_BYTES = 20;
    private static final int SIMPLE_FIXED_BYTES = 4;
    private static final int DROPS_UNKNOWN = 0xffff;

    private final ByteSource source;
    private final CaptureInterfaces interfaces;
    private final CaptureProblems problems;
    private final UnsafeBuffer options = new UnsafeBuffer(0, 0);
    private long packets;

    PcapngPackets(ByteSource source, CaptureInterfaces interfaces, CaptureProblems problems) {
        this.source = source;
        this.interfaces = interfaces;
        this.problems = problems;
    }

    boolean enhanced(int body, int end, ByteOrder order, PacketRecord packet) {
        if (end - body < FIXED_BYTES) {
            return malformed();
        }
        int index = interfaces.indexOf(source.bytes().getInt(body, order));
        return deliver(index, body, end, order, packet);
    }

    boolean obsolete(int body, int end, ByteOrder order, PacketRecord packet) {
        if (end - body < FIXED_BYTES) {
            return malformed();
        }
        int index = interfaces.indexOf(source.bytes().getShort(body, order) & 0xffff);
        if (!deliver(index, body, end, order, packet)) {
            return false;
        }
        int drops = source.bytes().getShort(body + 2, order) & 0xffff;
        packet.droppedPackets(drops == DROPS_UNKNOWN ? 0 : drops);
        return true;
    }

    boolean simple(int body, int end, ByteOrder order, PacketRecord packet) {
        if (end - body < SIMPLE_FIXED_BYTES) {
            return malformed();
        }
        int index = interfaces.indexOf(0);
        if (index < 0) {
            return unknownInterface();
        }
        CaptureInterface described = interfaces.at(index);
        long original = source.bytes().getInt(body, order) & 0xffff_ffffL;
        long captured = Math.min(original, end - body - SIMPLE_FIXED_BYTES);
        if (described.snapLengthBytes() != 0) {
            captured = Math.min(captured, described.snapLengthBytes() & 0xffff_ffffL);
        }
        packets++;
        packet.begin(packets, index, described);
        packet.data(source.window(), body + SIMPLE_FIXED_BYTES, (int) captured, original);
        return true;
    }

    private boolean deliver(int index, int body, int end, ByteOrder order, PacketRecord packet) {
        if (index < 0) {
            return unknownInterface();
        }
        DirectBuffer bytes = source.bytes();
        long captured = bytes.getInt(body + 12, order) & 0xffff_ffffL;
        if (captured > end - body - FIXED_BYTES) {
            return malformed();
        }
        CaptureInterface described = interfaces.at(index);
        long original = bytes.getInt(body + 16, order) & 0xffff_ffffL;
        packets++;
        packet.begin(packets, index, described);
        packet.data(source.window(), body + FIXED_BYTES, (int) captured, original);
        PcapRecords.checkLengths(problems, (int) captured, original, described.snapLengthBytes());
        time(bytes.getInt(body + 4, order), bytes.getInt(body + 8, order), described, packet);
        int padded = ((int) captured + 3) & ~3;
        // A block whose padding is cut off has no options; the packet itself is whole.
        int from = Math.min(body + FIXED_BYTES + padded, end);
        packet.options(source.window(), from, end - from, order);
        options.wrap(source.window(), from, end - from);
        readOptions(order, packet);
        return true;
    }

    private void time(int high, int low, CaptureInterface described, PacketRecord packet) {
        long units = ((long) high << 32) | (low & 0xffff_ffffL);
        long ns = CaptureTime.ns(units, described.resolution(), described.offsetSeconds());
        if (ns == CaptureTime.OUT_OF_RANGE) {
            problems.count(CaptureProblem.TIME_OUT_OF_RANGE);
        } else {
            packet.time(ns);
        }
    }

    private void readOptions(ByteOrder order, PacketRecord packet) {
        int at = 0;
        // Each turn moves on by at least an option's header, so the block bounds the loop.
        while (at < options.capacity()) {
            if (!PcapngOptions.isWhole(options, at, order)) {
                problems.count(CaptureProblem.OPTION_MALFORMED);
                return;
            }
            if (PcapngOptions.isEnd(options, at, order)) {
                return;
            }
            int code = PcapngOptions.code(options, at, order);
            int length = PcapngOptions.length(options, at, order);
            if (code == OPTION_FLAGS && length == Integer.BYTES) {
                packet.flags(options.getInt(at + PcapngOptions.HEADER_BYTES, order));
            } else if (code == OPTION_DROPPED && length == Long.BYTES) {
                packet.droppedPackets(options.getLong(at + PcapngOptions.HEADER_BYTES, order));
            }
            at = PcapngOptions.next(options, at, order);
        }
    }

    private boolean malformed() {
        problems.count(CaptureProblem.BLOCK_MALFORMED);
        return false;
    }

    private boolean unknownInterface() {
        problems.count(CaptureProblem.INTERFACE_UNKNOWN);
        return false;
    }
}
