// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CaptureReaderRobustnessTest {
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz", "pcap");

    @Test
    void theFuzzCorpusIsReplayed() throws IOException {
        List<byte[]> corpus = corpus();

        assertThat(corpus).hasSizeGreaterThanOrEqualTo(8);
        corpus.forEach(CaptureReaderFuzzTarget::fuzzerTestOneInput);
    }

    @Property(tries = 300)
    void noMutationOfACaptureIsAnException(@ForAll long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (byte[] original : corpus()) {
            byte[] mutated = original.clone();
            for (int i = 1 + random.nextInt(8); i > 0 && mutated.length > 0; i--) {
                mutated = mutate(mutated, random);
            }
            CaptureReaderFuzzTarget.fuzzerTestOneInput(mutated);
        }
    }

    @Property(tries = 1000)
    void noBytesAtAllAreAnException(@ForAll byte[] bytes) {
        CaptureReaderFuzzTarget.fuzzerTestOneInput(bytes);
    }

    @Test
    void anEndlessCaptureIsReadInConstantMemoryWithoutAllocating() throws IOException {
        int packets = 300_000;
        CaptureReader reader = new CaptureReader(endlessPcap(packets));
        PacketRecord packet = new PacketRecord();
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (int i = 0; i < packets / 3; i++) {
            reader.next(packet);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        int read = 0;
        while (reader.next(packet)) {
            read++;
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(read).isEqualTo(packets - packets / 3);
        // A packet that cost one object would cost 16 bytes each: 3 MB.
        assertThat(allocated).isLessThan(100_000);
    }

    private static byte[] mutate(byte[] bytes, SplittableRandom random) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(5)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> {
                return java.util.Arrays.copyOf(bytes, at);
            }
            case 3 -> {
                int edge = List.of(0, -1, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0xfffc, 12, 28)
                        .get(random.nextInt(8));
                for (int i = 0; i < 4 && at + i < bytes.length; i++) {
                    bytes[at + i] = (byte) (edge >>> (random.nextBoolean() ? 8 * i : 24 - 8 * i));
                }
            }
            default -> {
                int from = random.nextInt(bytes.length);
                int count = Math.min(random.nextInt(64), bytes.length - Math.max(at, from));
                System.arraycopy(bytes, from, bytes, at, count);
            }
        }
        return bytes;
    }

    private static List<byte[]> corpus() throws IOException {
        List<byte[]> corpus = new ArrayList<>();
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
        }
        return corpus;
    }

    /** A file header and then the same record over and over, made as it is read. */
    private static ReadableByteChannel endlessPcap(int packets) {
        byte[] header = new CaptureBytes(java.nio.ByteOrder.LITTLE_ENDIAN)
                .pcapHeader(CaptureBytes.NANO, 0, 1)
                .toArray();
        byte[] record = new CaptureBytes(java.nio.ByteOrder.LITTLE_ENDIAN)
                .pcapRecord(1, 2, 301, CaptureBytes.data(301, 1))
                .toArray();
        return new ReadableByteChannel() {
            private long at = -header.length;

            @Override
            public int read(ByteBuffer into) {
                int count = 0;
                while (into.hasRemaining() && at < (long) packets * record.length) {
                    into.put(at < 0 ? header[(int) (at + header.length)] : record[(int) (at % record.length)]);
                    at++;
                    count++;
                }
                return count == 0 ? -1 : count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
    }
}
