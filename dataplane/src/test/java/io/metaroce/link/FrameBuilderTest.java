// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.testing.Proves;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameBuilderTest {
    private static final long MAC_1 = 0x020000000001L;
    private static final long MAC_7 = 0x020000000007L;
    private static final long IPV4_1 = IpAddress.mapped(0xc0000201);
    private static final long IPV4_7 = IpAddress.mapped(0xc6336407);
    private static final long PREFIX = 0x20010db8_00000000L;

    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(10_000));

    static List<GoldenFrame> builtFrames() {
        return GoldenFrame.all().stream()
                .filter(frame -> !frame.build().equals("-"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("builtFrames")
    @Proves({"MOP-ENC-1", "MOP-ENC-2", "MOP-ENC-5", "MOP-ENC-6", "MOP-ENC-9", "MOP-ENC-12"})
    void guardsB23TheFrameIsTheGoldenOneBitForBit(GoldenFrame golden) {
        FrameBuilder builder = golden.isIpv6() ? ipv6() : ipv4();
        for (String tag : golden.build().split(",", -1)) {
            if (!tag.equals("yes")) {
                String[] parts = tag.split(":", -1);
                builder.vlan(Integer.parseInt(parts[0], 16), Integer.parseInt(parts[1], 16));
            }
        }
        int payloadLength = Integer.parseInt(golden.payloadLength());
        for (int i = 0; i < payloadLength; i++) {
            frame.putByte(16 + builder.headerLength() + i, (byte) (7 + 13 * i));
        }

        int length = builder.build(frame, 16, payloadLength);

        byte[] built = new byte[length];
        frame.getBytes(16, built);
        assertThat(built).isEqualTo(golden.bytes());
    }

    @Property(tries = 500)
    void whatIsBuiltIsParsedBack(
            @ForAll byte[] payload,
            @ForAll boolean isIpv6,
            @ForAll @IntRange(max = 63) int dscp,
            @ForAll @IntRange(max = 3) int ecn,
            @ForAll @IntRange(max = 0xffff) int port,
            @ForAll @IntRange(max = 2) int tags) {
        FrameBuilder builder = (isIpv6 ? ipv6() : ipv4())
                .ports(port, 4800)
                .trafficClass(dscp, ecn)
                .padded(true);
        for (int i = 0; i < tags; i++) {
            builder.vlan(0x8100, 5 + i);
        }
        frame.putBytes(builder.headerLength(), payload);

        int length = builder.build(frame, 0, payload.length);

        LinkView view = new LinkView();
        assertThat(new LinkParser().parse(LinkType.ETHERNET, frame, 0, length, view))
                .isEqualTo(LinkResult.OK);
        assertThat(length).isGreaterThanOrEqualTo(60);
        assertThat(view.payloadLength()).isEqualTo(payload.length);
        assertThat(view.payloadOffset()).isEqualTo(builder.headerLength());
        assertThat(view.ecn()).isEqualTo(ecn);
        assertThat(view.dscp()).isEqualTo(dscp);
        assertThat(view.sourcePort()).isEqualTo(port);
        assertThat(view.udpChecksum()).isNotZero();
        assertThat(view.isUnfragmentable()).isTrue();
        byte[] readBack = new byte[payload.length];
        frame.getBytes(view.payloadOffset(), readBack);
        assertThat(readBack).isEqualTo(payload);
    }

    @Test
    @Proves("MOP-ENC-19")
    void aUdpChecksumThatComputesToZeroIsWrittenAsAllOnes() {
        for (FrameBuilder builder : List.of(ipv4(), ipv6())) {
            int seen = 0;
            for (int word = 0; word <= 0xffff; word++) {
                frame.putShort(builder.headerLength(), (short) word);
                int length = builder.build(frame, 0, 2);
                LinkView view = new LinkView();

                assertThat(new LinkParser().parse(LinkType.ETHERNET, frame, 0, length, view))
                        .isEqualTo(LinkResult.OK);
                assertThat(view.udpChecksum()).isNotZero();
                seen += view.udpChecksum() == 0xffff ? 1 : 0;
            }
            // Of the 65,536 payloads two sum to zero: one for each representation of it, or one if only that exists.
            assertThat(seen).isBetween(1, 2);
        }
    }

    @Test
    void everyPacketIsEct0AndMayNotBeFragmentedUnlessToldOtherwise() {
        int length = ipv4().build(frame, 0, 100);
        LinkView view = new LinkView();
        new LinkParser().parse(LinkType.ETHERNET, frame, 0, length, view);

        assertThat(view.ecn()).isEqualTo(Ecn.ECT_0);
        assertThat(view.isUnfragmentable()).isTrue();
    }

    @Test
    @Proves("MOP-ENC-25")
    void paddingIsZerosWhateverStoodThere() {
        byte[] rubbish = new byte[80];
        Arrays.fill(rubbish, (byte) 0x55);
        frame.putBytes(0, rubbish);

        int length = ipv4().padded(true).build(frame, 0, 3);

        assertThat(length).isEqualTo(60);
        for (int i = 45; i < 60; i++) {
            assertThat(frame.getByte(i)).isZero();
        }
        assertThat(frame.getByte(60)).isEqualTo((byte) 0x55);
    }

    @Test
    void addressesOfTwoFamiliesAreRefused() {
        FrameBuilder builder = new FrameBuilder();

        assertThatThrownBy(() -> builder.addresses(PREFIX, 1, 0, IPV4_1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static FrameBuilder ipv4() {
        return new FrameBuilder()
                .ethernet(MAC_7, MAC_1)
                .addresses(0, IPV4_1, 0, IPV4_7)
                .ports(49153, 4795);
    }

    private static FrameBuilder ipv6() {
        return new FrameBuilder()
                .ethernet(MAC_7, MAC_1)
                .addresses(PREFIX, 1, PREFIX | 7, 9)
                .ports(49153, 4795);
    }
}
