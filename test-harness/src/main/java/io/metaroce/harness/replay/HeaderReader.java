// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Reads packets, also those that a capture cut behind their headers: of these it says all but whether the checksum is right. */
final class HeaderReader {
    private static final int SHORTEST = 12;
    private final PacketParser parser = new PacketParser();
    private final PacketParser headersOnly = new PacketParser(Crc32c.countedOnly());
    private final DataFlyweight data = new DataFlyweight();
    private final AckFlyweight ack = new AckFlyweight();
    private final CreditFlyweight credit = new CreditFlyweight();

    /**
     * Points the view at a packet.
     *
     * @param captured bytes that are there
     * @param length bytes the packet had
     * @return what a receiver says of it; null when its headers are not all there
     */
    @Nullable
    ParseResult read(UnsafeBuffer packet, int offset, int captured, int length, PacketView view) {
        if (captured >= length) {
            return parser.parse(packet, offset, length, view);
        }
        boolean isReadable = captured >= SHORTEST && hasHeaders(packet, offset, captured);
        return isReadable ? headersOnly.parse(packet, offset, length, view) : null;
    }

    private boolean hasHeaders(UnsafeBuffer packet, int offset, int captured) {
        int code = packet.getByte(offset) & 0xf;
        if (code == PacketType.DATA.code()) {
            data.wrap(packet, offset);
            Opcode opcode = captured < DataFlyweight.LENGTH ? null : Opcode.of(data.opcode());
            return opcode != null && captured >= DataFlyweight.LENGTH + opcode.headerLength();
        }
        if (code == PacketType.ACK.code()) {
            ack.wrap(packet, offset);
            int sack = captured >= AckFlyweight.LENGTH && ack.hasFlag(AckFlyweight.FLAG_SACK)
                    ? AckFlyweight.SACK_LENGTH
                    : 0;
            return captured >= AckFlyweight.LENGTH + sack;
        }
        if (code == PacketType.CREDIT.code()) {
            credit.wrap(packet, offset);
            return captured >= CreditFlyweight.LENGTH + credit.entries() * CreditFlyweight.ENTRY_LENGTH;
        }
        return captured >= 16;
    }
}
