// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NegotiationTest {
    private static final Limits LARGE = new Limits(8192, 16384, 4096, 65535, 32);

    /** B34: each side took its own size. */
    @Test
    void takesThePayloadThatEveryPlaneOfBothSidesCarries() throws Exception {
        // MOP-ENC-24
        Offer ours = offer(LARGE, plane("10.0.0.1", 8900, 1 << 20), plane("10.0.1.1", 1440, 1 << 20));
        Offer theirs = offer(LARGE, plane("10.0.0.2", 8900, 1 << 20), plane("10.0.1.2", 8900, 1 << 20));

        assertThat(Negotiation.limits(ours, theirs).payloadBytesMax()).isEqualTo(1024);
        assertThat(Negotiation.limits(theirs, ours)).isEqualTo(Negotiation.limits(ours, theirs));
    }

    @Test
    void takesTheSmallerOfEachLimit() throws Exception {
        Limits small = new Limits(512, 1024, 2, 1, 3);
        Offer ours = offer(LARGE, plane("10.0.0.1", 8900, 1));

        assertThat(Negotiation.limits(ours, offer(small, plane("10.0.0.2", 8900, 1))))
                .isEqualTo(small);
    }

    /** B20: a window larger than what the receiver can hold is negotiated down. */
    @Test
    void keepsInFlightDataBelowHalfOfTheSmallestReceiveBufferAnnounced() {
        // MOP-CC-2
        Offer theirs = offer(LARGE, plane("10.0.0.2", 8192, 212_992), plane("10.0.1.2", 8192, 8 << 20));

        assertThat(Negotiation.inFlightBytesMax(theirs)).isEqualTo(106_496);
    }

    /** MOP-CTL-9 */
    @Test
    void ofPlanesTheFirstOnesAreInForceAsManyAsBothHave() throws Exception {
        Offer one = offer(LARGE, plane("10.0.0.1", 8192, 1));
        Offer two = offer(LARGE, plane("10.0.0.2", 8192, 1), plane("fe80::2", 1024, 1));

        assertThat(Negotiation.limits(one, two).payloadBytesMax()).isEqualTo(8192);
        assertThat(Negotiation.limits(two, one)).isEqualTo(Negotiation.limits(one, two));
        assertThat(Negotiation.planesInForce(one.planes(), two.planes())).hasSize(1);
        assertThat(Negotiation.planesInForce(two.planes(), one.planes())).isEqualTo(one.planes());
    }

    @Test
    void namesWhatDoesNotFit() {
        Offer one = offer(LARGE, plane("10.0.0.1", 8192, 1));
        Offer six = offer(LARGE, plane("fe80::2", 8192, 1));
        Offer narrow = offer(new Limits(8192, 1024, 2, 1, 1), plane("10.0.0.2", 8192, 1), plane("10.0.1.2", 8192, 1));

        assertThatThrownBy(() -> Negotiation.limits(one, six)).hasMessage("plane 0 is IPv4 here and IPv6 at the peer");
        assertThatThrownBy(() -> Negotiation.limits(narrow, narrow)).hasMessage("1 paths for 2 planes; each needs one");
    }

    @Test
    void announcesTheAddressOfTheChannelInPlaceOfAWildcard() {
        List<PlaneOffer> planes = List.of(plane("0.0.0.0", 1024, 1), plane("10.0.1.1", 1024, 1));

        assertThat(Negotiation.announced(planes, "192.0.2.7").stream().map(PlaneOffer::address))
                .containsExactly("192.0.2.7", "10.0.1.1");
    }

    /** MOP-SEC-12 */
    @Test
    void permitsThePrefixesGivenAndNeverWhatIsNoSingleHost() {
        AddressFilter some = AddressFilter.parse("10.0.0.0/8, fd00::/7,192.0.2.1");

        assertThat(List.of("10.255.0.1", "fdff::1", "192.0.2.1")).allMatch(some::permits);
        assertThat(List.of("11.0.0.1", "fe00::1", "192.0.2.2", "::ffff")).noneMatch(some::permits);
        assertThat(List.of("224.0.0.1", "255.255.255.255", "0.0.0.0", "::", "ff02::1"))
                .noneMatch(AddressFilter.ALL::permits);
        assertThat(List.of("203.0.113.1", "2001:db8::1")).allMatch(AddressFilter.ALL::permits);
        assertThatThrownBy(() -> AddressFilter.parse("10.0.0.0/33")).hasMessageContaining("0 to 32 bits");
        assertThatThrownBy(() -> AddressFilter.parse("example.org"))
                .hasMessageContaining("is not an address or prefix");
    }

    @Test
    void givesNoIdAgainWhileLatePacketsMayArrive() throws Exception {
        // MOP-CTL-10, MOP-SEC-2
        ConnectionIds ids = new ConnectionIds(10, new TinyRandom());
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 15; i++) {
            int id = ids.allocate(0);
            assertThat(id).isNotZero();
            assertThat(seen.add(id)).isTrue();
            ids.release(id, 0);
        }
        assertThat(seen).contains(ids.allocate(ConnectionIds.QUARANTINE_NS));
    }

    /** Draws from 16 numbers, zero among them, so that repetitions are sure. */
    private static final class TinyRandom extends Random {
        private static final long serialVersionUID = 1L;
        private int next;

        @Override
        public int nextInt() {
            next = (next + 7) % 16;
            return next;
        }
    }

    private static Offer offer(Limits limits, PlaneOffer... planes) {
        return new Offer(1, List.of(planes), limits, 0, List.of(), Offer.CRC32C);
    }

    private static PlaneOffer plane(String address, int payload, long buffer) {
        return new PlaneOffer(address, 4795, payload, buffer, 1);
    }
}
