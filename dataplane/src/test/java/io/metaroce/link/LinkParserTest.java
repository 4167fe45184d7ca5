// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.IpAddress;
import io.metaroce.testing.Proves;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LinkParserTest {
    static List<GoldenFrame> frames() {
        return GoldenFrame.all();
    }

    @ParameterizedTest
    @MethodSource("frames")
    @Proves({
        "MOP-ENC-3",
        "MOP-ENC-4",
        "MOP-ENC-7",
        "MOP-ENC-8",
        "MOP-ENC-10",
        "MOP-ENC-11",
        "MOP-ENC-20",
        "MOP-ENC-21",
        "MOP-ENC-26"
    })
    void guardsB83AndB102EveryGoldenFrameParsesAsItsRowSays(GoldenFrame frame) throws UnknownHostException {
        LinkView view = frame.parse();

        assertThat(view.result()).isEqualTo(frame.result());
        assertThat(vlans(view)).isEqualTo(frame.vlans());
        assertThat(view.hasAddresses() ? Integer.toString(view.ecn()) : "-").isEqualTo(frame.ecn());
        assertThat(view.hasPayload() ? Integer.toString(view.payloadLength()) : "-")
                .isEqualTo(frame.payloadLength());
        if (view.hasAddresses()) {
            boolean isIpv6 = view.ipVersion() == 6;
            assertThat(address(view.sourceHigh(), view.sourceLow())).isEqualTo(isIpv6 ? "2001:db8::1" : "192.0.2.1");
            assertThat(address(view.destinationHigh(), view.destinationLow()))
                    .isEqualTo(isIpv6 ? "2001:db8:0:7::9" : "198.51.100.7");
            assertThat(view.hopLimit()).isEqualTo(64);
        }
        if (view.hasPayload()) {
            assertThat(view.sourcePort()).isEqualTo(49153);
            assertThat(view.destinationPort()).isEqualTo(4795);
            for (int i = 0; i < view.capturedPayloadLength(); i++) {
                assertThat(frame.bytes()[view.payloadOffset() + i]).isEqualTo((byte) (7 + 13 * i));
            }
        }
    }

    /** Those worth cutting at every byte. */
    static List<GoldenFrame> shortFrames() {
        return frames().stream().filter(frame -> frame.bytes().length <= 200).toList();
    }

    @ParameterizedTest
    @MethodSource("shortFrames")
    @Proves("MOP-ENC-27")
    void guardsB98AFrameCutAnywhereByTheSnapLengthSaysTruncatedAndKeepsItsEarlyHeaders(GoldenFrame frame) {
        LinkView whole = frame.parse();
        for (int length = 0; length < frame.bytes().length; length++) {
            LinkView cut = frame.parse(length, frame.wireLength());

            assertThat(cut.isTruncated()).isTrue();
            if (cut.hasAddresses()) {
                assertThat(cut.sourceLow()).isEqualTo(whole.sourceLow());
                assertThat(cut.ecn()).isEqualTo(whole.ecn());
            }
            boolean isPayloadWhole = whole.hasPayload() && length >= whole.payloadOffset() + whole.payloadLength();
            if (cut.result() == LinkResult.OK) {
                assertThat(isPayloadWhole).isTrue();
            }
            if (cut.result() == LinkResult.PAYLOAD_TRUNCATED) {
                assertThat(cut.capturedPayloadLength()).isLessThan(cut.payloadLength());
                assertThat(cut.payloadLength()).isEqualTo(whole.payloadLength());
            }
            if (whole.result() == LinkResult.OK && !isPayloadWhole) {
                assertThat(cut.result()).isIn(LinkResult.HEADER_TRUNCATED, LinkResult.PAYLOAD_TRUNCATED);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("shortFrames")
    void aFrameThatEndsTooSoonOnTheWireIsNeverAccepted(GoldenFrame frame) {
        LinkView whole = frame.parse();
        if (!whole.hasPayload()) {
            return;
        }
        for (int length = 0; length < whole.payloadOffset() + whole.capturedPayloadLength(); length++) {
            LinkView cut = frame.parse(length, length);

            assertThat(cut.result()).isIn(LinkResult.TOO_SHORT, LinkResult.IP_LENGTH_WRONG);
            assertThat(cut.isTruncated()).isFalse();
            assertThat(cut.hasPayload()).isFalse();
        }
    }

    @Test
    @Proves("MOP-ENC-20")
    void guardsB25AUdpChecksumOfZeroIsAcceptedOverIpv4AndAWrongOneHasItsOwnReason() {
        assertThat(named("checksum zero ipv4").parse().result()).isEqualTo(LinkResult.OK);
        assertThat(named("checksum wrong ipv4").parse().result()).isEqualTo(LinkResult.UDP_CHECKSUM_WRONG);
        assertThat(named("checksum zero ipv6").parse().result()).isEqualTo(LinkResult.UDP_CHECKSUM_MISSING);
    }

    @Test
    void aSingleBitFlippedWhereAChecksumGuardsItIsNeverAccepted() {
        for (String name : List.of("ethernet ipv4 40", "ethernet ipv6 40")) {
            GoldenFrame frame = named(name);
            for (int bit = 14 * 8; bit < frame.bytes().length * 8; bit++) {
                byte[] flipped = frame.bytes().clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                LinkView view = new LinkView();
                LinkResult result = new LinkParser()
                        .parse(LinkType.ETHERNET, GoldenFrame.offHeap(flipped), 0, flipped.length, view);

                // IPv6 has no header checksum: traffic class, flow label and hop limit are unguarded.
                int at = bit / 8 - 14;
                boolean isUnguarded = frame.isIpv6() && (at < 4 || at == 7);
                assertThat(result == LinkResult.OK && !isUnguarded)
                        .as("bit %d of %s is accepted", bit, name)
                        .isFalse();
            }
        }
    }

    @Test
    void anOffsetIntoTheBufferMovesEverything() {
        GoldenFrame frame = named("vlan ipv6 40");
        UnsafeBuffer buffer = GoldenFrame.offHeap(new byte[frame.bytes().length + 96]);
        buffer.putBytes(64, frame.bytes());
        LinkView view = new LinkView();

        LinkResult result = new LinkParser().parse(LinkType.ETHERNET, buffer, 64, frame.bytes().length, view);

        assertThat(result).isEqualTo(LinkResult.OK);
        assertThat(view.payloadOffset()).isEqualTo(64 + 14 + 4 + 40 + 8);
        assertThat(view.networkOffset()).isEqualTo(64 + 18);
        assertThat(view.vlanPriority(0)).isEqualTo(3);
        assertThat(view.destinationMac()).isEqualTo(0x020000000007L);
        assertThat(view.sourceMac()).isEqualTo(0x020000000001L);
    }

    static GoldenFrame named(String name) {
        return GoldenFrame.all().stream()
                .filter(frame -> frame.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String address(long high, long low) throws UnknownHostException {
        byte[] bytes = IpAddress.bytes(high, low);
        String text = InetAddress.getByAddress(bytes).getHostAddress();
        return text.replace("2001:db8:0:0:0:0:0:1", "2001:db8::1").replace("2001:db8:0:7:0:0:0:9", "2001:db8:0:7::9");
    }

    private static String vlans(LinkView view) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < view.vlanTagCount(); i++) {
            ids.add(Integer.toString(view.vlanId(i)));
        }
        return ids.isEmpty() ? "-" : String.join(",", ids);
    }
}
