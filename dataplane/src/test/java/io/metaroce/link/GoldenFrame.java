// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;

/** One row of {@code docs/spec/vectors/encapsulation.txt}. */
record GoldenFrame(
        String name,
        LinkType type,
        LinkResult result,
        String build,
        String ecn,
        String vlans,
        String payloadLength,
        int wireLength,
        String hex) {
    private static final Path FILE = Path.of("..", "docs", "spec", "vectors", "encapsulation.txt");

    static List<GoldenFrame> all() {
        try {
            return Files.readAllLines(FILE).stream()
                    .filter(line -> !line.startsWith("#"))
                    .map(GoldenFrame::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GoldenFrame of(String line) {
        List<String> fields = List.of(line.split(" \\| ?", -1));
        return new GoldenFrame(
                fields.get(0),
                Objects.requireNonNull(LinkType.of(Integer.parseInt(fields.get(1)))),
                LinkResult.valueOf(fields.get(2)),
                fields.get(3),
                fields.get(4),
                fields.get(5),
                fields.get(6),
                Integer.parseInt(fields.get(7)),
                fields.get(8));
    }

    byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    boolean isIpv6() {
        return name.contains("ipv6");
    }

    LinkView parse() {
        return parse(hex.length() / 2, wireLength);
    }

    LinkView parse(int length, long wireLength) {
        LinkView view = new LinkView();
        new LinkParser().parse(type, offHeap(bytes()), 0, length, wireLength, view);
        return view;
    }

    /** The bytes off the heap, as the code under test has them. */
    static UnsafeBuffer offHeap(byte[] bytes) {
        UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
        buffer.putBytes(0, bytes);
        return buffer;
    }

    @Override
    public String toString() {
        return name;
    }
}
