// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Well-formed packets of every type and operation, every field drawn from its whole range. */
final class RandomPackets {
    private static final int BODY_MAX = 300;

    private final SplittableRandom random;

    RandomPackets(long seed) {
        random = new SplittableRandom(seed);
    }

    SamplePacket next() {
        return of(PacketType.values()[random.nextInt(PacketType.values().length)]);
    }

    SamplePacket of(PacketType type) {
        return switch (type) {
            case DATA -> data(Opcode.values()[random.nextInt(Opcode.values().length)]);
            case ACK -> ack();
            case PROBE -> probe();
            case CREDIT -> credit();
            case CREDIT_REQUEST -> plain(Layout.CREDIT_REQUEST);
            case PLANE_STATUS -> plain(Layout.PLANE_STATUS);
        };
    }

    SamplePacket data(Opcode opcode) {
        Layout operation = Layout.valueOf(opcode.name());
        Map<String, Long> header = fieldsOf(Layout.DATA);
        Map<String, Long> operationFields = fieldsOf(operation);
        byte[] body = bytes(opcode.carriesPayload() && random.nextInt(8) > 0 ? 1 + random.nextInt(BODY_MAX) : 0);
        header.put("opcode", (long) opcode.code());
        header.put("payload length", (long) body.length);
        header.put("transmit count", 1L + random.nextInt(255));
        if (opcode.carriesPayload()) {
            long messageLength = body.length == 0 ? 0 : body.length + random.nextLong((1L << 31) - body.length + 1);
            operationFields.put("message length", messageLength);
            operationFields.computeIfPresent(
                    "message offset", (name, any) -> random.nextLong(messageLength - body.length + 1));
        }
        operationFields.computeIfPresent("syndrome", (name, any) -> 1L + random.nextInt(6));
        return new SamplePacket(List.of(Layout.DATA, operation), List.of(header, operationFields), body);
    }

    private SamplePacket ack() {
        Map<String, Long> header = fieldsOf(Layout.ACK);
        boolean hasSack = random.nextBoolean();
        header.compute("flags", (name, any) -> hasSack ? any | 1 : any & ~1L);
        if (!hasSack) {
            return new SamplePacket(List.of(Layout.ACK), List.of(header), new byte[0]);
        }
        Map<String, Long> sack = new LinkedHashMap<>();
        for (int word = 0; word < 4; word++) {
            sack.put(SamplePacket.SACK_WORD + word, random.nextLong());
        }
        return new SamplePacket(List.of(Layout.ACK, Layout.SACK), List.of(header, sack), new byte[0]);
    }

    private SamplePacket probe() {
        byte[] padding = bytes(random.nextInt(BODY_MAX));
        Map<String, Long> header = fieldsOf(Layout.PROBE);
        header.put("padding length", (long) padding.length);
        return new SamplePacket(List.of(Layout.PROBE), List.of(header), padding);
    }

    private SamplePacket credit() {
        int entries = random.nextInt(CreditFlyweight.ENTRIES_MAX + 1);
        List<Layout> headers = new ArrayList<>(List.of(Layout.CREDIT));
        List<Map<String, Long>> fields = new ArrayList<>(List.of(fieldsOf(Layout.CREDIT)));
        fields.get(0).put("entries", (long) entries);
        for (int i = 0; i < entries; i++) {
            headers.add(Layout.CREDIT_ENTRY);
            fields.add(fieldsOf(Layout.CREDIT_ENTRY));
        }
        return new SamplePacket(headers, fields, new byte[0]);
    }

    private SamplePacket plain(Layout layout) {
        return new SamplePacket(List.of(layout), List.of(fieldsOf(layout)), new byte[0]);
    }

    private Map<String, Long> fieldsOf(Layout layout) {
        Map<String, Long> fields = new LinkedHashMap<>();
        for (LayoutField field : layout.fields()) {
            boolean isFixed = field.isReserved()
                    || field.name().equals("version")
                    || field.name().equals("type");
            if (!isFixed) {
                fields.put(field.name(), random.nextLong() >>> (Long.SIZE - field.bits()));
            }
        }
        return fields;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
