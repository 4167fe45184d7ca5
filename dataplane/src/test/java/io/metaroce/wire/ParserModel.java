// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.util.Arrays;

/** MOP-PKT-4 and MOP-PKT-8 read from the specification and written down once more, over plain arrays and the table. */
final class ParserModel {
    private static final int LENGTH_MAX = 8260;
    private static final long MESSAGE_MAX = 1L << 31;

    private ParserModel() {}

    static ParseResult verdict(byte[] packet) {
        if (packet.length < 12) {
            return ParseResult.TOO_SHORT;
        }
        int first = packet[0] & 0xff;
        if (first >> 4 != 1) {
            return ParseResult.UNKNOWN_VERSION;
        }
        if ((first & 0xf) > 5) {
            return ParseResult.UNKNOWN_TYPE;
        }
        if (packet.length > LENGTH_MAX) {
            return isMerged(packet) ? ParseResult.MERGED : ParseResult.BAD_LENGTH;
        }
        if (!isSealed(packet)) {
            return isMerged(packet) ? ParseResult.MERGED : ParseResult.BAD_CHECKSUM;
        }
        Layout[] byType = {
            Layout.DATA, Layout.ACK, Layout.PROBE, Layout.CREDIT, Layout.CREDIT_REQUEST, Layout.PLANE_STATUS
        };
        Layout layout = byType[first & 0xf];
        int content = packet.length - 4;
        if (content < layout.lengthBytes()) {
            return ParseResult.TOO_SHORT;
        }
        int variable = switch (layout) {
            case ACK -> (get(packet, layout, "flags") & 1) * 32;
            case PROBE -> get(packet, layout, "padding length");
            case CREDIT -> get(packet, layout, "entries") * 8;
            default -> 0;
        };
        if (layout == Layout.DATA) {
            return data(packet, content);
        }
        if (layout == Layout.CREDIT && variable > 30 * 8) {
            return ParseResult.BAD_FIELD;
        }
        return content == layout.lengthBytes() + variable ? ParseResult.OK : ParseResult.BAD_LENGTH;
    }

    /** MOP-RCV-3 tried at every place where a second packet could begin. */
    private static boolean isMerged(byte[] datagram) {
        for (int at = 12; at + 8 <= datagram.length; at++) {
            int second = datagram[at] & 0xff;
            if (second >> 4 == 1 && (second & 0xf) <= 5 && verdict(Arrays.copyOf(datagram, at)) == ParseResult.OK) {
                return true;
            }
        }
        return false;
    }

    private static ParseResult data(byte[] packet, int content) {
        int code = get(packet, Layout.DATA, "opcode");
        if (code < 1 || code > 11) {
            return ParseResult.UNKNOWN_OPCODE;
        }
        Layout operation = Layout.values()[Layout.WRITE.ordinal() + code - 1];
        int headers = 32 + operation.lengthBytes();
        int payload = get(packet, Layout.DATA, "payload length");
        if (content < headers) {
            return ParseResult.TOO_SHORT;
        }
        if (payload > 8192 || content != headers + payload) {
            return ParseResult.BAD_LENGTH;
        }
        return get(packet, Layout.DATA, "transmit count") > 0 && isConsistent(packet, operation, payload)
                ? ParseResult.OK
                : ParseResult.BAD_FIELD;
    }

    private static boolean isConsistent(byte[] packet, Layout operation, int payload) {
        boolean carries = switch (operation) {
            case WRITE, WRITE_IMM, SEND, SEND_IMM, SEND_INV, READ_RESPONSE -> true;
            default -> false;
        };
        if (!carries) {
            return payload == 0;
        }
        long message = LayoutBits.get(packet, 32, operation.named("message length"));
        long offset = operation == Layout.WRITE || operation == Layout.WRITE_IMM
                ? 0
                : LayoutBits.get(packet, 32, operation.named("message offset"));
        return message <= MESSAGE_MAX && offset + payload <= message && (payload > 0) == (message > 0);
    }

    private static boolean isSealed(byte[] packet) {
        byte[] resealed = packet.clone();
        SamplePacket.reseal(resealed);
        return Arrays.equals(packet, resealed);
    }

    private static int get(byte[] packet, Layout layout, String field) {
        return (int) LayoutBits.get(packet, 0, layout.named(field));
    }
}
