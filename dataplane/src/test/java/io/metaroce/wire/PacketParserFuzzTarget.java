// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fuzz target in the form Jazzer calls; its corpus is {@code src/test/resources/fuzz/wire}, replayed in every build. The
 * first byte says, by its lowest bit, whether the checksum is repaired first, and by the others where the packet begins in
 * its buffer; the rest is the packet. Whatever the bytes: no exception, no read outside, the verdict of the model, and OK
 * only for what encodes to the same bytes again.
 */
public final class PacketParserFuzzTarget {
    private static final int OFFSET_MAX = 7;

    private PacketParserFuzzTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] packet = Arrays.copyOfRange(input, 1, input.length);
        if ((input[0] & 1) != 0 && packet.length >= Crc32c.LENGTH) {
            SamplePacket.reseal(packet);
        }
        int offset = (input[0] >>> 1) & OFFSET_MAX;
        UnsafeBuffer memory = OffHeap.of(offset + packet.length);
        memory.putBytes(offset, packet);
        PacketView view = new PacketView();

        ParseResult verdict = new PacketParser().parse(memory, offset, packet.length, view);

        ParseResult expected = ParserModel.verdict(packet);
        require(verdict == expected, "the parser says " + verdict + " where the specification says " + expected);
        if (verdict == ParseResult.OK) {
            requireSameBytes(packet, SamplePacket.of(view, memory, offset, packet.length));
            requireInside(view, memory, offset + packet.length - Crc32c.LENGTH);
        }
    }

    private static void requireSameBytes(byte[] packet, SamplePacket seen) {
        byte[] wanted = packet.clone();
        int at = 0;
        for (Layout layout : seen.headers()) {
            for (LayoutField field : layout.fields()) {
                if (field.isReserved()) {
                    LayoutBits.put(wanted, at, field, 0);
                }
            }
            at += layout.lengthBytes();
        }
        SamplePacket.reseal(wanted);
        require(Arrays.equals(wanted, seen.encodedByTable()), "the table encodes what was seen to the same bytes");
        if (seen.headers().stream().noneMatch(PacketParserFuzzTarget::lacksFlyweight) && !hasUnknownSyndrome(seen)) {
            require(Arrays.equals(wanted, seen.encodedByFlyweights()), "so do the flyweights");
        }
    }

    private static void requireInside(PacketView view, UnsafeBuffer memory, int contentEnd) {
        if (view.type() == PacketType.DATA) {
            long end = view.payloadAddress() + view.data().payloadLength() - memory.addressOffset();
            require(end == contentEnd, "the payload ends where the checksum begins");
        }
    }

    private static boolean lacksFlyweight(Layout layout) {
        return layout != Layout.SACK && new WireFields().of(layout).isEmpty();
    }

    private static boolean hasUnknownSyndrome(SamplePacket seen) {
        int last = seen.headers().size() - 1;
        return seen.headers().get(last) == Layout.ERROR
                && seen.fields().get(last).getOrDefault("syndrome", 0L)
                        != Syndrome.of(seen.fields()
                                        .get(last)
                                        .getOrDefault("syndrome", 0L)
                                        .intValue())
                                .code();
    }

    private static void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new AssertionError(what);
        }
    }
}
