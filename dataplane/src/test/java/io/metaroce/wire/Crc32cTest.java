// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metaroce.testing.Proves;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

@Proves("MOP-PKT-3")
class Crc32cTest {
    private final Crc32c crc = new Crc32c();

    @Test
    void theNineDigitsHaveTheCheckValue() {
        assertThat(of("123456789".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0xE3069283);
    }

    /** RFC 3720 appendix B.4; the RFC prints the bytes of the value in the order in which iSCSI sends them, least first. */
    @Test
    void theVectorsOfRfc3720() {
        byte[] zeros = new byte[32];
        byte[] ones = new byte[32];
        Arrays.fill(ones, (byte) 0xff);
        byte[] up = new byte[32];
        byte[] down = new byte[32];
        for (int i = 0; i < 32; i++) {
            up[i] = (byte) i;
            down[i] = (byte) (31 - i);
        }
        byte[] read10 = HexFormat.of()
                .parseHex(
                        "01c000000000000000000000000000001400000000000400000000140000001828000000000000000200000000000000");

        assertThat(of(zeros)).isEqualTo(Integer.reverseBytes(0xaa36918a));
        assertThat(of(ones)).isEqualTo(Integer.reverseBytes(0x43aba862));
        assertThat(of(up)).isEqualTo(Integer.reverseBytes(0x4e79dd46));
        assertThat(of(down)).isEqualTo(Integer.reverseBytes(0x5cdb3f11));
        assertThat(of(read10)).isEqualTo(Integer.reverseBytes(0x563a96d9));
    }

    @Test
    void ofNothingItIsZero() {
        assertThat(crc.compute(OffHeap.of(0), 0, 0)).isZero();
    }

    @Property
    void equalsTheJdkOverAHeapCopyOfAnyPart(
            @ForAll @Size(max = 2048) byte[] bytes,
            @ForAll @IntRange(max = 2048) int a,
            @ForAll @IntRange(max = 2048) int b) {
        int from = Math.min(Math.min(a, b), bytes.length);
        int to = Math.min(Math.max(a, b), bytes.length);
        CRC32C jdk = new CRC32C();
        jdk.update(bytes, from, to - from);

        assertThat(crc.compute(OffHeap.copyOf(bytes), from, to - from)).isEqualTo((int) jdk.getValue());
    }

    @Property(tries = 200)
    void aSealedPacketIsSealedUntilAnyBitChanges(
            @ForAll @Size(max = 200) byte[] bytes, @ForAll @IntRange(min = 0) int pick) {
        UnsafeBuffer packet = OffHeap.of(bytes.length + Crc32c.LENGTH);
        packet.putBytes(0, bytes);

        int length = crc.seal(packet, bytes.length);

        assertThat(length).isEqualTo(bytes.length + 4);
        assertThat(crc.isSealed(packet, 0, length)).isTrue();
        int bit = pick % (length * 8);
        packet.putByte(bit / 8, (byte) (packet.getByte(bit / 8) ^ 1 << bit % 8));
        assertThat(crc.isSealed(packet, 0, length)).isFalse();
    }

    @Test
    void guardsB23TheValueIsStoredMostSignificantByteFirst() {
        UnsafeBuffer packet = OffHeap.of(13);
        packet.putBytes(0, "123456789".getBytes(StandardCharsets.US_ASCII));

        crc.seal(packet, 9);

        assertThat(OffHeap.bytesOf(packet, 13)).endsWith(0xE3, 0x06, 0x92, 0x83);
    }

    @Test
    void aMillionChecksumsAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        UnsafeBuffer packet = OffHeap.of(64);
        int sum = rounds(packet, 20_000);

        long before = threads.getCurrentThreadAllocatedBytes();
        sum += rounds(packet, 1_000_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(sum).isNotEqualTo(1);
        assertThat(allocated).isLessThan(10_000);
    }

    private int rounds(UnsafeBuffer packet, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            packet.putInt(0, i);
            sum += crc.compute(packet, 0, 64);
        }
        return sum;
    }

    private int of(byte[] bytes) {
        return crc.compute(OffHeap.copyOf(bytes), 0, bytes.length);
    }
}
