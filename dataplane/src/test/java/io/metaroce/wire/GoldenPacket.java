// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One stanza of {@code docs/spec/vectors/packets.txt}; the file's head says how it is written. */
final class GoldenPacket {
    private static final Path FILE = Path.of("..", "docs", "spec", "vectors", "packets.txt");
    private static final byte[] NO_BODY = new byte[0];

    private final String name;
    private final List<Layout> headers = new ArrayList<>();
    private final List<Map<String, Long>> fields = new ArrayList<>();
    private final StringBuilder hex = new StringBuilder();
    private byte[] body = NO_BODY;
    private ParseResult verdict = ParseResult.OK;

    private GoldenPacket(String name) {
        this.name = name;
    }

    static List<GoldenPacket> all() {
        List<GoldenPacket> packets = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(FILE)) {
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                if (line.startsWith("  ")) {
                    packets.get(packets.size() - 1).add(line.strip());
                } else {
                    packets.add(new GoldenPacket(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packets;
    }

    ParseResult verdict() {
        return verdict;
    }

    byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    boolean hasFields() {
        return !headers.isEmpty();
    }

    SamplePacket packet() {
        return new SamplePacket(headers, fields, body);
    }

    private void add(String line) {
        int colon = line.indexOf(':');
        String key = line.substring(0, colon);
        String value = line.substring(colon + 1).strip();
        switch (key) {
            case "verdict" -> verdict = ParseResult.valueOf(value);
            case "bytes" -> hex.append(value);
            case "body" -> body = body(value);
            default -> {
                headers.add(Layout.valueOf(key));
                fields.add(fields(value));
            }
        }
    }

    private static byte[] body(String description) {
        byte[] bytes = new byte[Integer.parseInt(description.substring(0, description.indexOf(' ')))];
        boolean isPattern = description.endsWith("byte i is 7 + 13 i");
        for (int i = 0; i < bytes.length && isPattern; i++) {
            bytes[i] = (byte) (7 + 13 * i);
        }
        return bytes;
    }

    private static Map<String, Long> fields(String list) {
        Map<String, Long> fields = new LinkedHashMap<>();
        for (String field : list.split(", ", -1)) {
            int space = field.lastIndexOf(' ');
            String number = field.substring(space + 1);
            fields.put(
                    field.substring(0, space),
                    number.startsWith("0x")
                            ? Long.parseUnsignedLong(number.substring(2), 16)
                            : Long.parseUnsignedLong(number));
        }
        return fields;
    }

    @Override
    public String toString() {
        return name;
    }
}
