// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metaroce.testing.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

@Proves({"MOP-PKT-4", "MOP-PKT-8", "MOP-RCV-3", "MOP-RCV-27"})
class PacketParserRobustnessTest {
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz", "wire");
    private static final byte REPAIR = 1;

    @Test
    void theFuzzCorpusIsReplayedAndReachesEveryVerdict() throws IOException {
        Map<ParseResult, Integer> reached = new EnumMap<>(ParseResult.class);
        int inputs = 0;
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                byte[] input = Files.readAllBytes(file);
                PacketParserFuzzTarget.fuzzerTestOneInput(input);
                reached.merge(verdictOf(input), 1, Integer::sum);
                inputs++;
            }
        }

        assertThat(inputs).isGreaterThan(40);
        assertThat(reached.keySet()).isEqualTo(EnumSet.allOf(ParseResult.class));
    }

    @Property(tries = 3000)
    void noBytesAtAllAreAnException(@ForAll @Size(max = 120) byte[] bytes) {
        PacketParserFuzzTarget.fuzzerTestOneInput(bytes);
    }

    @Property(tries = 3000)
    void noBytesBehindARightFirstByteAndChecksumAreAnException(
            @ForAll @Size(max = 120) byte[] bytes, @ForAll byte type) {
        byte[] input = new byte[bytes.length + 2];
        System.arraycopy(bytes, 0, input, 2, bytes.length);
        input[0] = REPAIR;
        input[1] = (byte) (0x10 | Math.floorMod(type, 6));
        PacketParserFuzzTarget.fuzzerTestOneInput(input);
    }

    @Property(tries = 60)
    void oneChangedBitIsABadChecksumOrIsNoticedBefore(@ForAll long seed) {
        byte[] bytes = new RandomPackets(seed).next().encodedByTable();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            ParseResult expected = bit / 8 > 0
                    ? ParseResult.BAD_CHECKSUM
                    : bit >= 4
                            ? ParseResult.UNKNOWN_VERSION
                            : (bytes[0] & 0xf) > 5 ? ParseResult.UNKNOWN_TYPE : ParseResult.BAD_CHECKSUM;
            assertThat(verdict(bytes)).as("bit %d", bit).isEqualTo(expected);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Property(tries = 1000)
    void mutatedPacketsWithTheirChecksumRepairedGetTheModelsVerdict(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        byte[] packet = new RandomPackets(seed).next().encodedByTable();
        for (int round = 0; round < 20; round++) {
            byte[] mutated = packet.clone();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                int at = random.nextInt(Math.min(mutated.length, 80));
                mutated[at] = (byte) (random.nextBoolean() ? random.nextInt() : mutated[at] ^ 1 << random.nextInt(8));
            }
            int length = random.nextInt(3) == 0 ? random.nextInt(mutated.length + 40) : mutated.length;
            PacketParserFuzzTarget.fuzzerTestOneInput(input(Arrays.copyOf(mutated, length)));
        }
    }

    @Test
    void aDatagramBeyondTheLargestPacketIsRefusedByItsLength() {
        for (int length : new int[] {8260, 8261, 9000, 65_507}) {
            byte[] probe = new byte[length];
            probe[0] = 0x12;
            probe[12] = (byte) ((length - 20) >>> 8);
            probe[13] = (byte) (length - 20);
            SamplePacket.reseal(probe);
            assertThat(verdict(probe)).isEqualTo(length <= 8260 ? ParseResult.OK : ParseResult.BAD_LENGTH);
        }
    }

    @Property(tries = 100)
    void guardsB31PacketsMergedIntoOneDatagramAreNamedAndNeverReadAsOne(@ForAll long seed) throws IOException {
        RandomPackets packets = new RandomPackets(seed);
        for (int count : new int[] {2, 44}) {
            ByteArrayOutputStream merged = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                merged.write(packets.next().encodedByTable());
            }
            assertThat(verdict(merged.toByteArray())).isEqualTo(ParseResult.MERGED);
        }
    }

    @Test
    void bytesBehindAPacketThatBeginNoOtherAreABadChecksum() {
        byte[] packet = new RandomPackets(1).next().encodedByTable();
        assertThat(verdict(Arrays.copyOf(packet, packet.length + 100))).isEqualTo(ParseResult.BAD_CHECKSUM);
    }

    @Test
    void parsingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<UnsafeBuffer> packets = new ArrayList<>();
        for (long seed = 0; seed < 64; seed++) {
            packets.add(OffHeap.copyOf(new RandomPackets(seed).next().encodedByTable()));
        }
        PacketParser parser = new PacketParser();
        PacketView view = new PacketView();
        int parsed = parseAll(parser, view, packets, 300);

        long before = threads.getCurrentThreadAllocatedBytes();
        parsed += parseAll(parser, view, packets, 3000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(parsed).isEqualTo(3300 * 64);
        assertThat(allocated).isLessThan(10_000);
    }

    private static int parseAll(PacketParser parser, PacketView view, List<UnsafeBuffer> packets, int rounds) {
        int parsed = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < packets.size(); i++) {
                UnsafeBuffer packet = packets.get(i);
                if (parser.parse(packet, 0, packet.capacity(), view) == ParseResult.OK) {
                    parsed++;
                }
            }
        }
        return parsed;
    }

    private static byte[] input(byte[] packet) {
        byte[] input = new byte[packet.length + 1];
        input[0] = REPAIR;
        System.arraycopy(packet, 0, input, 1, packet.length);
        return input;
    }

    private static ParseResult verdictOf(byte[] input) {
        byte[] packet = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
        if (input.length > 4 && (input[0] & REPAIR) != 0) {
            SamplePacket.reseal(packet);
        }
        return verdict(packet);
    }

    private static ParseResult verdict(byte[] packet) {
        return new PacketParser().parse(OffHeap.copyOf(packet), 0, packet.length, new PacketView());
    }
}
