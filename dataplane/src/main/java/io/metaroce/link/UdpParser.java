// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import static io.metaroce.link.LinkParser.u16;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The UDP header, for {@link IpParser}.
 *
 * <pre>
 *   0  source port:16, destination port:16
 *   4  length:16 (header and payload), checksum:16
 *   8  payload
 * </pre>
 */
final class UdpParser {
    static final int HEADER_BYTES = 8;

    private UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private int end;

    void frame(UnsafeBuffer frame, int end) {
        this.frame = frame;
        this.end = end;
    }

    /**
     * @param packetEnd where the IP packet ends on the wire; what follows is padding or a frame check sequence
     *     (MOP-ENC-4)
     * @param isRouteFinished whether the IP destination is the final one, which the checksum covers
     */
    LinkResult parse(int offset, int packetEnd, boolean isRouteFinished, LinkView view) {
        if (offset + HEADER_BYTES > packetEnd) {
            return LinkResult.UDP_LENGTH_WRONG;
        }
        if (offset + HEADER_BYTES > end) {
            return LinkResult.HEADER_TRUNCATED;
        }
        view.sourcePort = u16(frame, offset);
        view.destinationPort = u16(frame, offset + 2);
        view.reached = LinkView.REACHED_PORTS;
        int length = u16(frame, offset + 4);
        view.udpChecksum = u16(frame, offset + 6);
        // MOP-ENC-21
        if (length < HEADER_BYTES || length > packetEnd - offset) {
            return LinkResult.UDP_LENGTH_WRONG;
        }
        view.reached = LinkView.REACHED_PAYLOAD;
        view.payloadOffset = offset + HEADER_BYTES;
        view.payloadLength = length - HEADER_BYTES;
        view.capturedPayloadLength = Math.min(view.payloadLength, end - view.payloadOffset);
        if (!isRouteFinished) {
            return LinkResult.IP_ROUTE_UNFINISHED;
        }
        if (view.capturedPayloadLength < view.payloadLength) {
            return LinkResult.PAYLOAD_TRUNCATED;
        }
        return checksum(offset, length, view);
    }

    private LinkResult checksum(int offset, int length, LinkView view) {
        if (view.udpChecksum == 0) {
            // MOP-ENC-20: over IPv4 a sender may leave it out; over IPv6 it may not, the addresses have no other guard.
            return view.ipVersion == IpParser.VERSION_4 ? LinkResult.OK : LinkResult.UDP_CHECKSUM_MISSING;
        }
        long sum = PseudoHeader.sum(
                view.ipVersion, view.sourceHigh, view.sourceLow, view.destinationHigh, view.destinationLow, length);
        boolean isRight = InternetChecksum.fold(InternetChecksum.add(sum, frame, offset, length)) == 0xffff;
        return isRight ? LinkResult.OK : LinkResult.UDP_CHECKSUM_WRONG;
    }
}
