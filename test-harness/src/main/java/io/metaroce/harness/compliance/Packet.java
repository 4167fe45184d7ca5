// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.wire.Layout;
import io.metaroce.wire.LayoutField;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A packet as names and numbers, made and read by the layout table and nothing else, so that a fault of the accessors under
 * test cannot hide itself. Names are the table's in lower case, blanks as hyphens; {@code op-reserved} is the operation's.
 */
final class Packet {
    static final int SACK_BYTES = 32;
    private static final int CRC_BYTES = 4;
    private static final Layout[] TYPES = {
        Layout.DATA, Layout.ACK, Layout.PROBE, Layout.CREDIT, Layout.CREDIT_REQUEST, Layout.PLANE_STATUS
    };
    private static final Layout[] OPERATIONS = {
        Layout.WRITE,
        Layout.WRITE_IMM,
        Layout.SEND,
        Layout.SEND_IMM,
        Layout.SEND_INV,
        Layout.READ_REQUEST,
        Layout.READ_RESPONSE,
        Layout.COMPARE_SWAP,
        Layout.FETCH_ADD,
        Layout.ATOMIC_RESPONSE,
        Layout.ERROR
    };

    final Map<String, Long> fields = new LinkedHashMap<>();
    /** Name of the operation, or of the type if it has none. */
    String name;

    /** What follows the headers: payload, SACK vector, padding or entries. */
    byte[] body = new byte[0];

    Packet(String name) {
        this.name = name;
    }

    /** The type's header, and the operation's; null for a name that is none. */
    static @Nullable Layout layout(String name) {
        for (Layout layout : Layout.values()) {
            if (layout.name().equals(name) && layout != Layout.SACK && layout != Layout.CREDIT_ENTRY) {
                return layout;
            }
        }
        return null;
    }

    static int opcode(Layout layout) {
        return indexOf(OPERATIONS, layout) + 1;
    }

    static int type(Layout layout) {
        return Math.max(0, indexOf(TYPES, layout));
    }

    private static int indexOf(Layout[] among, Layout layout) {
        for (int i = 0; i < among.length; i++) {
            if (among[i] == layout) {
                return i;
            }
        }
        return -1;
    }

    static boolean isOperation(String name) {
        Layout layout = layout(name);
        return layout != null && opcode(layout) > 0;
    }

    long get(String field) {
        Long value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException(name + " has no field " + field);
        }
        return value;
    }

    int number(String field) {
        return (int) get(field);
    }

    /** The packet with its checksum. */
    byte[] encode() {
        Layout layout = layout(name);
        if (layout == null) {
            throw new IllegalArgumentException("no packet is called " + name);
        }
        boolean hasOperation = opcode(layout) > 0;
        Layout header = hasOperation ? Layout.DATA : layout;
        int headers = header.lengthBytes() + (hasOperation ? layout.lengthBytes() : 0);
        byte[] bytes = new byte[headers + body.length + CRC_BYTES];
        write(bytes, 0, header, "");
        if (hasOperation) {
            write(bytes, header.lengthBytes(), layout, "op-");
        }
        System.arraycopy(body, 0, bytes, headers, body.length);
        seal(bytes);
        return bytes;
    }

    static void seal(byte[] bytes) {
        int crc = crc(bytes);
        for (int i = 0; i < CRC_BYTES; i++) {
            bytes[bytes.length - CRC_BYTES + i] = (byte) (crc >>> (24 - 8 * i));
        }
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - CRC_BYTES);
        return (int) crc.getValue();
    }

    private void write(byte[] bytes, int base, Layout layout, String reservedPrefix) {
        for (LayoutField field : layout.fields()) {
            String key = field.isReserved() ? reservedPrefix + "reserved" : key(field);
            long value = fields.getOrDefault(key, 0L);
            for (int i = 0; i < field.bits(); i++) {
                int bit = base * 8 + field.bitOffset() + i;
                if ((value >>> (field.bits() - 1 - i) & 1) != 0) {
                    bytes[bit >> 3] |= (byte) (0x80 >> (bit & 7));
                }
            }
        }
    }

    /**
     * Reads a packet of a target.
     *
     * @throws IllegalArgumentException with what the bytes break
     */
    static Packet decode(byte[] bytes) {
        if (bytes.length < 12) {
            throw new IllegalArgumentException("MOP-PKT-4: " + bytes.length + " bytes are no packet");
        }
        int type = bytes[0] & 0xf;
        if (bytes[0] >> 4 != 1 || type >= TYPES.length) {
            throw new IllegalArgumentException(
                    "MOP-PKT-1, MOP-PKT-5: first byte is 0x" + Integer.toHexString(bytes[0] & 0xff));
        }
        byte[] sealed = bytes.clone();
        seal(sealed);
        if (!java.util.Arrays.equals(sealed, bytes)) {
            throw new IllegalArgumentException("MOP-PKT-3: the checksum is wrong");
        }
        Layout header = TYPES[type];
        Packet packet = new Packet(header.name());
        int length = packet.read(bytes, 0, header, "");
        if (header == Layout.DATA) {
            int opcode = packet.number("opcode");
            if (opcode < 1 || opcode > OPERATIONS.length) {
                throw new IllegalArgumentException("MOP-PKT-7: opcode " + opcode);
            }
            packet.name = OPERATIONS[opcode - 1].name();
            length += packet.read(bytes, length, OPERATIONS[opcode - 1], "op-");
        }
        packet.body = java.util.Arrays.copyOfRange(bytes, length, bytes.length - CRC_BYTES);
        packet.checkLength();
        return packet;
    }

    private void checkLength() {
        int expected = switch (name) {
            case "ACK" -> (get("flags") & 1) != 0 ? SACK_BYTES : 0;
            case "PROBE" -> number("padding-length");
            case "CREDIT" -> 8 * number("entries");
            case "CREDIT_REQUEST", "PLANE_STATUS" -> 0;
            default -> number("payload-length");
        };
        if (body.length != expected) {
            throw new IllegalArgumentException(
                    "MOP-PKT-1: " + name + " has " + body.length + " bytes behind its headers, which say " + expected);
        }
    }

    private int read(byte[] bytes, int base, Layout layout, String reservedPrefix) {
        if (base + layout.lengthBytes() + CRC_BYTES > bytes.length) {
            throw new IllegalArgumentException("MOP-PKT-4: too short for " + layout);
        }
        for (LayoutField field : layout.fields()) {
            long value = 0;
            for (int i = 0; i < field.bits(); i++) {
                int bit = base * 8 + field.bitOffset() + i;
                value = value << 1 | (bytes[bit >> 3] >> (7 - (bit & 7)) & 1);
            }
            fields.put(field.isReserved() ? reservedPrefix + "reserved" : key(field), value);
        }
        return layout.lengthBytes();
    }

    static String key(LayoutField field) {
        return field.name().toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    /** Whether an ACK acknowledges a path sequence. */
    boolean acknowledges(int sequence) {
        int distance = sequence - number("next-expected-path-sequence");
        if (distance <= 0) {
            return distance < 0;
        }
        int bit = distance - 1;
        return bit < 8 * body.length && (body[bit >> 3] & 0x80 >> (bit & 7)) != 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        fields.forEach((key, value) -> {
            if (value != 0
                    && !key.equals("version")
                    && !key.equals("type")
                    && !key.equals("destination-connection-id")) {
                text.append(' ').append(key).append('=').append(Long.toUnsignedString(value));
            }
        });
        if (name.equals("ACK") && body.length > 0) {
            StringBuilder sack = new StringBuilder();
            for (int bit = 0; bit < 8 * body.length; bit++) {
                int sequence = number("next-expected-path-sequence") + 1 + bit;
                if (acknowledges(sequence)) {
                    sack.append(sack.isEmpty() ? "" : ",").append(Integer.toUnsignedString(sequence));
                }
            }
            text.append(" sack={").append(sack).append('}');
        }
        return text.toString();
    }
}
