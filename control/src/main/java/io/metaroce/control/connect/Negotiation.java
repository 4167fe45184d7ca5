// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.ArrayList;
import java.util.List;

/** What two offers come to. Pure. */
final class Negotiation {
    /** A host's in-flight data toward another stays below this part of the receive buffer announced. */
    static final int RECEIVE_BUFFER_PARTS = 2;

    private static final int PAYLOAD_BYTES_MIN = 256;

    private Negotiation() {}

    /** MOP-CTL-9. Limits in force: the smaller of each, and a payload that every plane of both sides carries. */
    static Limits limits(Offer ours, Offer theirs) throws ConnectFailure {
        int planes = Math.min(ours.planes().size(), theirs.planes().size());
        requireSameFamilies(ours, theirs, planes);
        Limits limits = ours.limits().smaller(theirs.limits());
        int payload = Math.min(
                limits.payloadBytesMax(), Math.min(smallestPayload(ours, planes), smallestPayload(theirs, planes)));
        payload = Integer.highestOneBit(payload);
        if (payload < PAYLOAD_BYTES_MIN) {
            throw new ConnectFailure("no payload size fits both sides: ours " + smallestPayload(ours, planes)
                    + " bytes, theirs " + smallestPayload(theirs, planes) + ", at least " + PAYLOAD_BYTES_MIN);
        }
        if (limits.paths() < planes) {
            throw new ConnectFailure(limits.paths() + " paths for " + planes + " planes; each needs one");
        }
        return new Limits(
                payload, limits.csnWindowPackets(), limits.messageWindow(), limits.streamsMax(), limits.paths());
    }

    /** MOP-CTL-9. The peer's planes in force: the first ones, as many as both sides have. */
    static List<PlaneOffer> planesInForce(List<PlaneOffer> ours, List<PlaneOffer> theirs) {
        return List.copyOf(theirs.subList(0, Math.min(ours.size(), theirs.size())));
    }

    private static void requireSameFamilies(Offer ours, Offer theirs, int planes) throws ConnectFailure {
        for (int i = 0; i < planes; i++) {
            String here = ours.planes().get(i).address();
            String there = theirs.planes().get(i).address();
            if (isIpv6(here) != isIpv6(there)) {
                throw new ConnectFailure(
                        "plane " + i + " is " + family(here) + " here and " + family(there) + " at the peer");
            }
        }
    }

    /** B20: a sender's window never exceeds what the receiver can hold, whatever either was configured for. */
    static long inFlightBytesMax(Offer theirs) {
        long smallest = Long.MAX_VALUE;
        for (PlaneOffer plane : theirs.planes()) {
            smallest = Math.min(smallest, plane.receiveBufferBytes());
        }
        return Math.max(1, smallest / RECEIVE_BUFFER_PARTS);
    }

    /** Planes with a wildcard address replaced by the address the peer is already talking to. */
    static List<PlaneOffer> announced(List<PlaneOffer> planes, String channelAddress) {
        List<PlaneOffer> announced = new ArrayList<>();
        for (PlaneOffer plane : planes) {
            boolean isWildcard =
                    plane.address().equals("0.0.0.0") || plane.address().equals("::");
            String address = isWildcard ? channelAddress : plane.address();
            announced.add(new PlaneOffer(
                    address,
                    plane.udpPort(),
                    plane.payloadBytesMax(),
                    plane.receiveBufferBytes(),
                    plane.burstPackets()));
        }
        return announced;
    }

    private static int smallestPayload(Offer offer, int planes) {
        return offer.planes().stream()
                .limit(planes)
                .mapToInt(PlaneOffer::payloadBytesMax)
                .min()
                .orElse(0);
    }

    private static boolean isIpv6(String address) {
        return address.indexOf(':') >= 0;
    }

    private static String family(String address) {
        return isIpv6(address) ? "IPv6" : "IPv4";
    }
}
