// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class CaptureWriterTest {
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    @Test
    void nanosecondsSurviveInPcapAndMicrosecondsAreRoundedDownWhenAskedFor() throws IOException {
        assertThat(timeThrough(CaptureFormat.PCAP_NANO, 1_234_567_891_011L)).isEqualTo(1_234_567_891_011L);
        assertThat(timeThrough(CaptureFormat.PCAP_MICRO, 1_234_567_891_011L)).isEqualTo(1_234_567_891_000L);
        assertThat(timeThrough(CaptureFormat.PCAPNG, 1_234_567_891_011L)).isEqualTo(1_234_567_891_011L);
    }

    @Test
    void guardsB97TimesOfAMillionPacketsAreExactWhateverTheGaps() throws IOException {
        long[] gapsNs = {1_000_000_000, 1_000, 500, 0, -5_000};
        int packets = 1_000_000;
        CaptureWriter writer = writer(CaptureFormat.PCAP_NANO);
        int only = writer.addInterface("only", 1, 0);
        UnsafeBuffer packet = new UnsafeBuffer(new byte[14]);
        long timeNs = 1;
        for (int i = 0; i < packets; i++) {
            writer.write(only, timeNs, packet, 0, packet.capacity());
            timeNs += gapsNs[i % gapsNs.length];
        }
        writer.flush();

        CaptureReader reader = new CaptureReader(Channels.newChannel(new ByteArrayInputStream(file.toByteArray())));
        PacketRecord record = new PacketRecord();
        long expectedNs = 1;
        int read = 0;
        for (; reader.next(record); read++) {
            if (record.timeNs() != expectedNs) {
                assertThat(record.timeNs()).as("packet %d", read).isEqualTo(expectedNs);
            }
            expectedNs += gapsNs[read % gapsNs.length];
        }
        assertThat(read).isEqualTo(packets);
    }

    @Test
    void theWrittenBytesAreTheOnesTheFormatDescribes() throws IOException {
        CaptureWriter writer = writer(CaptureFormat.PCAP_NANO);
        writer.addInterface("ignored", 1, 0);
        writer.write(0, 1_000_000_002L, new UnsafeBuffer(new byte[] {7, 8, 9}), 0, 3);
        writer.flush();

        byte[] expected = new CaptureBytes(java.nio.ByteOrder.LITTLE_ENDIAN)
                .pcapHeader(CaptureBytes.NANO, 256 << 10, 1)
                .pcapRecord(1, 2, 3, (byte) 7, (byte) 8, (byte) 9)
                .toArray();
        assertThat(file.toByteArray()).isEqualTo(expected);
    }

    @Test
    void commentsAndDirectionBelongToOnePacketOnly() throws IOException {
        CaptureWriter writer = writer(CaptureFormat.PCAPNG);
        int plane0 = writer.addInterface("plane0", 1, 0);
        int plane1 = writer.addInterface("plane1", 101, 128);
        UnsafeBuffer packet = new UnsafeBuffer(CaptureBytes.data(129, 5));
        writer.direction(PacketDirection.OUTBOUND).comment("retransmission: µ, 日本, 😀, \ud800");
        writer.write(plane0, 1, packet, 0, 129);
        writer.originalLength(9000).write(plane1, 2, packet, 1, 128);
        writer.flush();

        ReadBack read = ReadBack.of(file.toByteArray());

        assertThat(read.packets().get(0).comments()).containsExactly("retransmission: µ, 日本, 😀, ?");
        assertThat(read.packets().get(0).direction()).isEqualTo(PacketDirection.OUTBOUND);
        assertThat(read.packets().get(1).comments()).isEmpty();
        assertThat(read.packets().get(1).direction()).isEqualTo(PacketDirection.UNKNOWN);
        assertThat(read.packets().get(1).originalLength()).isEqualTo(9000);
        assertThat(read.packets().get(1).linkType()).isEqualTo(101);
        assertThat(read.reader().interfaceAt(0).name()).isEqualTo("plane0");
        assertThat(read.reader().interfaceAt(1).snapLengthBytes()).isEqualTo(128);
    }

    @Test
    void aLongCommentIsCutAtAWholeCharacter() throws IOException {
        CaptureWriter writer = writer(CaptureFormat.PCAPNG);
        writer.addInterface("", 1, 0);
        writer.comment("😀".repeat(2000)).write(0, 0, new UnsafeBuffer(new byte[1]), 0, 1);
        writer.flush();

        String comment =
                ReadBack.of(file.toByteArray()).packets().get(0).comments().get(0);
        assertThat(comment).isEqualTo("😀".repeat(CaptureWriter.COMMENT_BYTES_MAX / 4));
    }

    @Test
    void aPacketLargerThanTheBufferIsWrittenInPieces() throws IOException {
        CaptureWriter writer = writer(CaptureFormat.PCAPNG);
        writer.addInterface("big", 1, 0);
        byte[] packet = CaptureBytes.data(1_000_001, 3);
        writer.comment("behind it").write(0, 5, new UnsafeBuffer(packet), 0, packet.length);
        writer.write(0, 6, new UnsafeBuffer(packet), 0, 1);
        writer.flush();

        ReadBack read = ReadBack.of(file.toByteArray());
        assertThat(read.reader().endedEarly()).isNull();
        assertThat(read.packets().get(0).data()).hasSize(1_000_001).endsWith(packet[1_000_000]);
        assertThat(read.packets().get(0).comments()).containsExactly("behind it");
        assertThat(read.packets()).hasSize(2);
    }

    @Test
    void pcapRefusesASecondInterface() throws IOException {
        CaptureWriter writer = writer(CaptureFormat.PCAP_NANO);
        writer.addInterface("one", 1, 0);

        assertThatThrownBy(() -> writer.addInterface("two", 1, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Property(tries = 200)
    void whatIsWrittenIsReadBack(
            @ForAll @Size(max = 12) List<@IntRange(max = 9000) Integer> lengths,
            @ForAll @LongRange(min = 0, max = 4_000_000_000_000_000_000L) long startNs,
            @ForAll CaptureFormat format)
            throws IOException {
        if (format == CaptureFormat.UNKNOWN) {
            return;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CaptureWriter writer = new CaptureWriter(Channels.newChannel(out), format);
        writer.addInterface("it", 1, 0);
        List<Byte> sizes = new ArrayList<>();
        long unitNs = format == CaptureFormat.PCAP_MICRO ? 1000 : 1;
        for (int i = 0; i < lengths.size(); i++) {
            byte[] data = CaptureBytes.data(lengths.get(i), i);
            writer.write(0, startNs / unitNs * unitNs + i * unitNs, new UnsafeBuffer(data), 0, data.length);
            sizes.add((byte) i);
        }
        writer.flush();

        ReadBack read = ReadBack.of(out.toByteArray());

        assertThat(read.packets()).hasSize(sizes.size());
        for (int i = 0; i < lengths.size(); i++) {
            ReadBack.Packet packet = read.packets().get(i);
            byte[] data = CaptureBytes.data(lengths.get(i), i);
            assertThat(packet.timeNs()).isEqualTo(startNs / unitNs * unitNs + i * unitNs);
            assertThat(packet.data()).hasSize(data.length);
            for (int at = 0; at < data.length; at++) {
                assertThat((byte) packet.data().get(at)).isEqualTo(data[at]);
            }
        }
    }

    private long timeThrough(CaptureFormat format, long timeNs) throws IOException {
        file.reset();
        CaptureWriter writer = writer(format);
        writer.addInterface("x", 1, 0);
        writer.write(0, timeNs, new UnsafeBuffer(new byte[1]), 0, 1);
        writer.flush();
        return ReadBack.of(file.toByteArray()).times().get(0);
    }

    private CaptureWriter writer(CaptureFormat format) {
        return new CaptureWriter(Channels.newChannel(file), format);
    }
}
