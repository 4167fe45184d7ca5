// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaptureReaderTest {
    /** Three times that all units hold exactly: multiples of 1/8 s. */
    private static final long[] TIMES_NS = {
        1_700_000_000_125_000_000L, 1_700_000_000_500_000_000L, 1_700_000_001_875_000_000L
    };

    private static final List<ByteOrder> ORDERS = List.of(BIG_ENDIAN, LITTLE_ENDIAN);

    @Test
    void guardsB101TheSameThreePacketsHaveTheSameTimesInEveryUnitAndByteOrder() {
        List<byte[]> captures = new ArrayList<>();
        for (ByteOrder order : ORDERS) {
            captures.add(pcap(order, CaptureBytes.MICRO, 1_000));
            captures.add(pcap(order, CaptureBytes.NANO, 1));
            captures.add(pcapng(order, 3, 1_000));
            captures.add(pcapng(order, 6, 1_000_000));
            captures.add(pcapng(order, 9, 1_000_000_000));
            captures.add(pcapng(order, 0x80 | 20, 1 << 20));
        }

        assertThat(captures)
                .allSatisfy(capture -> assertThat(ReadBack.of(capture).times())
                        .containsExactly(TIMES_NS[0], TIMES_NS[1], TIMES_NS[2]));
    }

    @Test
    void guardsB100EveryPacketIsReadWithItsOwnInterface() {
        CaptureBytes capture = new CaptureBytes(LITTLE_ENDIAN).section();
        capture.describe(1, 0x40000, capture.body());
        capture.describe(113, 64, capture.body().option(9, (byte) 9));
        capture.describe(101, 0xffff_ffffL, capture.body().option(9, (byte) (0x80 | 10)));
        capture.enhanced(2, 1024, 5, CaptureBytes.data(5, 2));
        capture.enhanced(0, 1_000_000, 6, CaptureBytes.data(6, 0));
        capture.enhanced(1, 1_000_000_000, 7, CaptureBytes.data(7, 1));

        ReadBack read = ReadBack.of(capture.toArray());

        assertThat(read.packets()).extracting(ReadBack.Packet::linkType).containsExactly(101, 1, 113);
        assertThat(read.times()).containsOnly(1_000_000_000L).hasSize(3);
        assertThat(read.reader().interfaceAt(2).snapLengthBytes()).isEqualTo(-1);
        assertThat(read.reader().endedEarly()).isNull();
    }

    @Test
    void sectionsOfBothByteOrdersNumberTheirInterfacesFromZero() {
        CaptureBytes capture = new CaptureBytes(LITTLE_ENDIAN).section();
        capture.describe(1, 0, capture.body().option(2, "first"));
        capture.enhanced(0, 1, 1, (byte) 1);
        capture.order(BIG_ENDIAN).section();
        capture.describe(276, 0, capture.body().option(2, "second"));
        capture.enhanced(0, 2, 1, (byte) 2);
        capture.enhanced(1, 3, 1, (byte) 3);

        ReadBack read = ReadBack.of(capture.toArray());

        assertThat(read.packets()).extracting(ReadBack.Packet::interfaceIndex).containsExactly(0, 1);
        assertThat(read.packets()).extracting(ReadBack.Packet::linkType).containsExactly(1, 276);
        assertThat(read.reader().interfaceAt(1).name()).isEqualTo("second");
        assertThat(read.reader().problemCount(CaptureProblem.INTERFACE_UNKNOWN)).isEqualTo(1);
    }

    @Test
    void commentsDirectionDropsAndTheTimeOffsetAreRead() {
        CaptureBytes capture = new CaptureBytes(BIG_ENDIAN).section();
        capture.describe(
                1,
                0,
                capture.body().option(14, ByteBuffer.allocate(8).putLong(-1).array()));
        CaptureBytes options = capture.body()
                .option(1, "retransmission, trigger SACK")
                .option(0x7abc, "of nobody's business")
                .option(2, (byte) 0, (byte) 0, (byte) 0, (byte) 2)
                .option(4, ByteBuffer.allocate(8).putLong(7).array())
                .option(1, "zweite Bemerkung: µ")
                .option(0);
        capture.enhanced(0, 3_000_000, 3, CaptureBytes.data(3, 1), options);

        ReadBack.Packet packet = ReadBack.of(capture.toArray()).packets().get(0);

        assertThat(packet.comments()).containsExactly("retransmission, trigger SACK", "zweite Bemerkung: µ");
        assertThat(packet.direction()).isEqualTo(PacketDirection.OUTBOUND);
        assertThat(packet.dropped()).isEqualTo(7);
        assertThat(packet.timeNs()).isEqualTo(2_000_000_000L);
    }

    @Test
    void simpleAndObsoletePacketsAndUnknownBlocksAreUnderstoodOrSkipped() {
        CaptureBytes capture = new CaptureBytes(LITTLE_ENDIAN).section();
        capture.block(0xbad, capture.body().raw(CaptureBytes.data(300_000, 9)));
        capture.describe(1, 4, capture.body());
        capture.block(3, capture.body().u32(6).raw(CaptureBytes.data(4, 5)));
        capture.block(2, capture.body().u16(0, 12).u32(0, 8, 2, 2).raw(CaptureBytes.data(2, 3)));

        ReadBack read = ReadBack.of(capture.toArray());

        assertThat(read.packets()).hasSize(2);
        assertThat(read.packets().get(0).hasTime()).isFalse();
        assertThat(read.packets().get(0).data()).hasSize(4);
        assertThat(read.packets().get(0).originalLength()).isEqualTo(6);
        assertThat(read.packets().get(1).timeNs()).isEqualTo(8_000);
        assertThat(read.packets().get(1).dropped()).isEqualTo(12);
        assertThat(read.reader().endedEarly()).isNull();
    }

    @Test
    void guardsB103LengthsThatContradictEachOtherAreNotedAndThePacketStands() {
        CaptureBytes capture = new CaptureBytes(LITTLE_ENDIAN).pcapHeader(CaptureBytes.NANO, 4, 1);
        capture.pcapRecord(1, 0, 3, CaptureBytes.data(4, 1)); // captured above original
        capture.pcapRecord(2, 0, 9000, CaptureBytes.data(4, 1)); // cut by the snap length
        capture.pcapRecord(3, 0, 5, CaptureBytes.data(5, 1)); // captured above the snap length
        capture.pcapRecord(4, 0, 0); // nothing at all

        ReadBack read = ReadBack.of(capture.toArray());

        assertThat(read.packets()).extracting(packet -> packet.data().size()).containsExactly(4, 4, 5, 0);
        assertThat(read.packets()).extracting(ReadBack.Packet::originalLength).containsExactly(3L, 9000L, 5L, 0L);
        assertThat(read.reader().problemCount(CaptureProblem.CAPTURED_ABOVE_ORIGINAL))
                .isEqualTo(1);
        assertThat(read.reader().problemCount(CaptureProblem.CAPTURED_ABOVE_SNAPLEN))
                .isEqualTo(1);
    }

    @Test
    void aSnapLengthOfZeroOrAllOnesIsNoLimit() {
        for (long snapLength : new long[] {0, 0xffff_ffffL}) {
            CaptureBytes capture = new CaptureBytes(BIG_ENDIAN).pcapHeader(CaptureBytes.MICRO, snapLength, 1);
            capture.pcapRecord(1, 0, 70_000, CaptureBytes.data(70_000, 1));

            ReadBack read = ReadBack.of(capture.toArray());

            assertThat(read.packets()).hasSize(1);
            assertThat(read.reader().problemCount(CaptureProblem.CAPTURED_ABOVE_SNAPLEN))
                    .isZero();
        }
    }

    @Test
    void guardsB98AnUnfinishedTailIsAWarningAndEverythingBeforeItStands() {
        byte[] whole = pcap(LITTLE_ENDIAN, CaptureBytes.NANO, 1);
        byte[] wholeNg = pcapng(LITTLE_ENDIAN, 9, 1_000_000_000);
        for (byte[] capture : List.of(whole, wholeNg)) {
            for (int length = 0; length < capture.length; length++) {
                ReadBack read = ReadBack.of(Arrays.copyOf(capture, length));

                assertThat(read.times())
                        .isEqualTo(ReadBack.of(capture)
                                .times()
                                .subList(0, read.packets().size()));
                boolean isCutBetweenRecords = read.reader().endedEarly() == null;
                assertThat(isCutBetweenRecords).isEqualTo(isBoundary(capture, length));
            }
        }
    }

    @Test
    void aRecordThatClaimsMoreThanSixteenMebibytesEndsTheCapture() {
        CaptureBytes capture = new CaptureBytes(LITTLE_ENDIAN).pcapHeader(CaptureBytes.NANO, 0, 1);
        capture.pcapRecord(1, 0, 1, (byte) 1).u32(2, 0, (16 << 20) + 1, 5).raw(CaptureBytes.data(100, 1));

        ReadBack read = ReadBack.of(capture.toArray());

        assertThat(read.packets()).hasSize(1);
        assertThat(read.reader().endedEarly())
                .isEqualTo("a record is longer than 16 MiB (packet 2 at byte 41 claims 16777217)");
    }

    @Test
    void aRecordOfExactlySixteenMebibytesIsRead() throws IOException {
        int length = CaptureReader.RECORD_BYTES_MAX;
        ByteBuffer capture = ByteBuffer.allocate(length + 80).order(LITTLE_ENDIAN);
        capture.put(new CaptureBytes(LITTLE_ENDIAN)
                .pcapHeader(CaptureBytes.NANO, 0, 1)
                .pcapRecord(1, 0, 1, (byte) 1)
                .u32(2, 0, length, length)
                .toArray());

        CaptureReader reader = new CaptureReader(CaptureBytes.channel(capture.array()));
        PacketRecord packet = new PacketRecord();

        assertThat(reader.next(packet)).isTrue();
        assertThat(reader.next(packet)).isTrue();
        assertThat(packet.capturedLength()).isEqualTo(length);
    }

    @Test
    void whatIsNoCaptureSaysSoInOneSentence() {
        assertThat(sentence(new byte[0])).isEqualTo("the capture is empty (0 bytes in all)");
        assertThat(sentence(new byte[] {1, 2, 3})).isEqualTo("neither pcap nor pcapng (3 bytes in all)");
        assertThat(sentence("PK\003\004".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("neither pcap nor pcapng (it begins with 0x504b0304)");
        assertThat(sentence(new byte[] {0x1f, (byte) 0x8b, 8, 0}))
                .isEqualTo("compressed; decompress it first (it begins with 0x1f8b0800)");
        assertThat(sentence(new CaptureBytes(BIG_ENDIAN)
                        .u32(CaptureBytes.MICRO)
                        .u16(3, 1)
                        .u32(0, 0, 0, 1)
                        .toArray()))
                .isEqualTo("a version of the format that is not known (pcap 3.1)");
    }

    @Test
    void theFrameCheckLengthIsReadFromBothFormats() {
        CaptureBytes classic = new CaptureBytes(LITTLE_ENDIAN).pcapHeader(CaptureBytes.MICRO, 0, 0x2400_0001);
        CaptureBytes blocks = new CaptureBytes(LITTLE_ENDIAN).section();
        blocks.describe(1, 0, blocks.body().option(13, (byte) 4));
        blocks.describe(1, 0, blocks.body().option(13, (byte) 32));

        assertThat(ReadBack.of(classic.toArray()).reader().interfaceAt(0).frameCheckBytes())
                .isEqualTo(4);
        assertThat(ReadBack.of(classic.toArray()).reader().interfaceAt(0).linkType())
                .isEqualTo(1);
        CaptureReader reader = ReadBack.of(blocks.toArray()).reader();
        assertThat(reader.interfaceAt(0).frameCheckBytes()).isEqualTo(4);
        assertThat(reader.interfaceAt(1).frameCheckBytes()).isEqualTo(4);
    }

    @Test
    void aChannelThatGivesOneByteAtATimeReadsTheSame() {
        byte[] capture = pcapng(BIG_ENDIAN, 9, 1_000_000_000);
        ReadableByteChannel whole = CaptureBytes.channel(capture);
        ReadableByteChannel trickle = new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer into) throws IOException {
                return whole.read(into.limit(into.position() + 1));
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };

        assertThat(ReadBack.of(trickle).packets())
                .isEqualTo(ReadBack.of(capture).packets());
    }

    private static byte[] pcap(ByteOrder order, int magic, long nsPerUnit) {
        CaptureBytes capture = new CaptureBytes(order).pcapHeader(magic, 0x40000, 1);
        for (long timeNs : TIMES_NS) {
            capture.pcapRecord(timeNs / 1_000_000_000, timeNs % 1_000_000_000 / nsPerUnit, 3, CaptureBytes.data(3, 1));
        }
        return capture.toArray();
    }

    private static byte[] pcapng(ByteOrder order, int resolution, long unitsPerSecond) {
        CaptureBytes capture = new CaptureBytes(order).section();
        capture.describe(1, 0x40000, capture.body().option(9, (byte) resolution).option(0));
        for (long timeNs : TIMES_NS) {
            long eighths = timeNs / 125_000_000;
            capture.enhanced(0, eighths * (unitsPerSecond / 8), 3, CaptureBytes.data(3, 1));
        }
        return capture.toArray();
    }

    /** Whether a capture of the two helpers above may end after {@code length} bytes. */
    private static boolean isBoundary(byte[] capture, int length) {
        boolean isPcap = capture[3] == (byte) 0xa1;
        List<Integer> boundaries = isPcap ? List.of(24, 43, 62, 81) : List.of(28, 60, 96, 132, 168);
        return boundaries.contains(length);
    }

    private static String sentence(byte[] capture) {
        CaptureReader reader = ReadBack.of(capture).reader();
        assertThat(reader.isNoCapture()).isTrue();
        return String.valueOf(reader.endedEarly());
    }
}
