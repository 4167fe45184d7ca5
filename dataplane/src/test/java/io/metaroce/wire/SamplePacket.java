// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A packet as a value: its headers in order, their fields by name, and what follows them. Encoded in two ways that share no
 * line: by the flyweights, and by the table of layouts alone.
 *
 * @param headers in wire order; CREDIT_ENTRY as often as there are entries
 * @param fields one map for each header, without version, type and reserved bits; the SACK vector as {@code word 0..3}
 * @param body payload or padding
 */
@SuppressWarnings("ArrayRecordComponent") // tests compare recursively
record SamplePacket(List<Layout> headers, List<Map<String, Long>> fields, byte[] body) {
    static final String SACK_WORD = "word ";

    PacketType type() {
        return PacketType.valueOf(headers.get(0).name());
    }

    int length() {
        return headers.stream().mapToInt(Layout::lengthBytes).sum() + body.length + Crc32c.LENGTH;
    }

    /** As the transport builds it. */
    byte[] encodedByFlyweights() {
        UnsafeBuffer packet = OffHeap.of(length());
        packet.setMemory(0, packet.capacity(), (byte) 0x5a);
        WireFields access = new WireFields();
        int at = 0;
        for (int i = 0; i < headers.size(); i++) {
            Layout layout = headers.get(i);
            if (layout == Layout.SACK) {
                AckFlyweight ack = access.ack;
                fields.get(i).forEach((name, value) -> ack.sackWord(wordOf(name), value));
            } else {
                access.wrap(layout, packet, at);
                if (at == 0) {
                    access.access(layout, "type").set().accept(type().code());
                }
                fields.get(i)
                        .forEach((name, value) ->
                                access.access(layout, name).set().accept(value));
            }
            at += layout.lengthBytes();
        }
        if (type() == PacketType.CREDIT && headers.size() == 1) {
            access.credit.entries(0);
        }
        packet.putBytes(at, body);
        int length = new Crc32c().seal(packet, at + body.length);
        return OffHeap.bytesOf(packet, length);
    }

    /** As the specification's pictures say. */
    byte[] encodedByTable() {
        byte[] packet = new byte[length()];
        int at = 0;
        for (int i = 0; i < headers.size(); i++) {
            Layout layout = headers.get(i);
            if (at == 0) {
                LayoutBits.put(packet, 0, layout.named("version"), 1);
                LayoutBits.put(packet, 0, layout.named("type"), type().code());
            }
            for (Map.Entry<String, Long> field : fields.get(i).entrySet()) {
                LayoutBits.put(packet, at, place(layout, field.getKey()), field.getValue());
            }
            at += layout.lengthBytes();
        }
        System.arraycopy(body, 0, packet, at, body.length);
        reseal(packet);
        return packet;
    }

    /** What the parser's view shows of a packet that it called OK. */
    static SamplePacket of(PacketView view, UnsafeBuffer packet, int offset, int length) {
        List<Layout> headers = new ArrayList<>();
        List<Map<String, Long>> fields = new ArrayList<>();
        WireFields access = new WireFields();
        Layout first = Layout.valueOf(view.type().name());
        headers.add(first);
        switch (view.type()) {
            case DATA -> headers.add(Layout.valueOf(view.opcode().name()));
            case ACK -> {
                if (view.ack().hasFlag(AckFlyweight.FLAG_SACK)) {
                    headers.add(Layout.SACK);
                }
            }
            case CREDIT -> {
                for (int i = 0; i < view.credit().entries(); i++) {
                    headers.add(Layout.CREDIT_ENTRY);
                }
            }
            default -> {}
        }
        int at = offset;
        for (Layout layout : headers) {
            Map<String, Long> values = new LinkedHashMap<>();
            if (layout == Layout.SACK) {
                for (int word = 0; word < 4; word++) {
                    values.put(SACK_WORD + word, view.ack().sackWord(word));
                }
            } else if (access.of(layout).isEmpty()) {
                byte[] header = new byte[layout.lengthBytes()];
                packet.getBytes(at, header);
                layout.fields().stream()
                        .filter(f -> !f.isReserved())
                        .forEach(f -> values.put(f.name(), LayoutBits.get(header, 0, f)));
            } else {
                access.wrap(layout, packet, at);
                access.of(layout)
                        .forEach((name, one) -> values.put(name, one.get().getAsLong()));
                values.remove("version");
                values.remove("type");
            }
            fields.add(values);
            at += layout.lengthBytes();
        }
        byte[] body = new byte[offset + length - Crc32c.LENGTH - at];
        packet.getBytes(at, body);
        return new SamplePacket(headers, fields, body);
    }

    /** Writes the right checksum over the last four bytes. */
    static void reseal(byte[] packet) {
        int covered = packet.length - Crc32c.LENGTH;
        CRC32C crc = new CRC32C();
        crc.update(packet, 0, covered);
        for (int i = 0; i < Crc32c.LENGTH; i++) {
            packet[covered + i] = (byte) (crc.getValue() >>> (24 - 8 * i));
        }
    }

    private static LayoutField place(Layout layout, String name) {
        return layout == Layout.SACK ? new LayoutField(name, wordOf(name) * Long.SIZE, Long.SIZE) : layout.named(name);
    }

    private static int wordOf(String name) {
        return name.charAt(SACK_WORD.length()) - '0';
    }
}
