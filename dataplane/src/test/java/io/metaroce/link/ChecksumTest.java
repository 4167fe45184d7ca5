// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ChecksumTest {
    @Property
    void theFastSumIsTheSlowOne(@ForAll byte[] bytes) {
        long sum = InternetChecksum.add(0, GoldenFrame.offHeap(bytes), 0, bytes.length);

        assertThat(InternetChecksum.of(sum)).isEqualTo(slow(bytes));
    }

    @Property
    void anyChangedWordUpdatesToTheFullSum(@ForAll short before, @ForAll short after, @ForAll short other) {
        int checksum = slow(words(before, other, (short) 0x4500));

        assertThat(InternetChecksum.update(checksum, before & 0xffff, after & 0xffff))
                .isEqualTo(slow(words(after, other, (short) 0x4500)));
    }

    @Test
    @Proves("MOP-ENC-13")
    void guardsB27EveryMarkOverEveryChecksumEqualsTheFullSum() {
        FrameBuilder builder = new FrameBuilder().addresses(0, 0xffff_c0000201L, 0, 0xffff_c6336407L);
        UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
        builder.build(frame, 0, 0);
        // All 65,536 ids give all checksums; all sixteen changes of the two bits.
        for (int id = 0; id <= 0xffff; id++) {
            for (int change = 0; change < 16; change++) {
                frame.putByte(15, (byte) (0x88 | (change >>> 2)));
                frame.putShort(18, (short) id, ByteOrder.BIG_ENDIAN);
                seal(frame);

                EcnField.rewrite(frame, 14, change & 3);

                int updated = frame.getShort(24, ByteOrder.BIG_ENDIAN);
                seal(frame);
                if (frame.getShort(24, ByteOrder.BIG_ENDIAN) != updated
                        || frame.getByte(15) != (byte) (0x88 | (change & 3))) {
                    throw new AssertionError("id " + id + ", change " + change);
                }
            }
        }
    }

    @Test
    void aMarkDoesNotMendAWrongHeaderChecksum() {
        GoldenFrame frame = LinkParserTest.named("header checksum wrong");
        UnsafeBuffer bytes = GoldenFrame.offHeap(frame.bytes());

        EcnField.rewrite(bytes, 14, 3);

        LinkView view = new LinkView();
        assertThat(new LinkParser().parse(LinkType.ETHERNET, bytes, 0, bytes.capacity(), view))
                .isEqualTo(LinkResult.IP_CHECKSUM_WRONG);
        assertThat(view.ecn()).isEqualTo(3);
    }

    @Test
    void aMarkOfIpv6TouchesTwoBitsOnly() {
        GoldenFrame frame = LinkParserTest.named("ecn 1 ipv6");
        UnsafeBuffer bytes = GoldenFrame.offHeap(frame.bytes());

        EcnField.rewrite(bytes, 14, 2);

        byte[] expected = LinkParserTest.named("ecn 2 ipv6").bytes();
        byte[] marked = new byte[expected.length];
        bytes.getBytes(0, marked);
        assertThat(marked).isEqualTo(expected);
    }

    private static void seal(UnsafeBuffer frame) {
        frame.putShort(24, (short) 0);
        byte[] header = new byte[20];
        frame.getBytes(14, header);
        frame.putShort(24, (short) slow(header), ByteOrder.BIG_ENDIAN);
    }

    private static byte[] words(short... words) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * words.length);
        for (short word : words) {
            bytes.putShort(word);
        }
        return bytes.array();
    }

    /** Word by word with the carry put back at once, as RFC 1071 describes it. */
    private static int slow(byte[] bytes) {
        int sum = 0;
        for (int i = 0; i < bytes.length; i += 2) {
            int low = i + 1 < bytes.length ? bytes[i + 1] & 0xff : 0;
            sum += (bytes[i] & 0xff) << 8 | low;
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return ~sum & 0xffff;
    }
}
