// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import static io.metaroce.link.LinkParser.u16;

import io.metaroce.port.IpAddress;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * IPv4 and IPv6 up to the UDP header, for {@link LinkParser}.
 *
 * <pre>
 *   IPv4                                              IPv6
 *   0   version:4 header words:4 dscp:6 ECN:2         0   version:4 dscp:6 ECN:2 flow label:20
 *   2   total length:16                               4   payload length:16
 *   4   id:16, 0:1 DF:1 MF:1 fragment offset:13       6   next header:8, hop limit:8
 *   8   hop limit:8, protocol:8, checksum:16          8   source:128
 *   12  source:32, destination:32, options            24  destination:128, extension headers
 * </pre>
 */
final class IpParser {
    static final int VERSION_ANY = 0;
    static final int VERSION_4 = 4;
    static final int VERSION_6 = 6;
    static final int PROTOCOL_UDP = 17;

    private static final int IPV4_BYTES_MIN = 20;
    private static final int IPV6_BYTES = 40;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int FRAGMENT_MASK = 0x3fff;

    private static final int EXTENSIONS_MAX = 8;
    private static final int EXTENSION_BYTES_MIN = 8;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int FRAGMENT_OFFSET_AND_MORE = 0xfff9;

    private final UdpParser udp = new UdpParser();
    private UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private int end;
    private int wireEnd;

    /** The frame of the next calls: bytes are there up to {@code end}, and were on the wire up to {@code wireEnd}. */
    void frame(UnsafeBuffer frame, int end, int wireEnd) {
        this.frame = frame;
        this.end = end;
        this.wireEnd = wireEnd;
        udp.frame(frame, end);
    }

    /** Whether bytes before {@code limit} are not there. */
    boolean lacks(int limit) {
        return limit > end;
    }

    /** Why bytes before {@code limit} are not there: cut off by the capture, or never sent. */
    LinkResult missing(int limit) {
        return limit <= wireEnd ? LinkResult.HEADER_TRUNCATED : LinkResult.TOO_SHORT;
    }

    LinkResult parse(int offset, int expectedVersion, LinkView view) {
        if (lacks(offset + 1)) {
            return missing(offset + 1);
        }
        int version = (frame.getByte(offset) & 0xff) >>> 4;
        boolean isExpected = expectedVersion == VERSION_ANY || version == expectedVersion;
        if (!isExpected || (version != VERSION_4 && version != VERSION_6)) {
            return LinkResult.IP_VERSION_WRONG;
        }
        view.networkOffset = offset;
        view.ipVersion = version;
        return version == VERSION_4 ? parseIpv4(offset, view) : parseIpv6(offset, view);
    }

    private LinkResult parseIpv4(int offset, LinkView view) {
        if (lacks(offset + IPV4_BYTES_MIN)) {
            return missing(offset + IPV4_BYTES_MIN);
        }
        int headerBytes = (frame.getByte(offset) & 0xf) * Integer.BYTES;
        // MOP-ENC-7
        if (headerBytes < IPV4_BYTES_MIN) {
            return LinkResult.IP_HEADER_LENGTH_WRONG;
        }
        if (lacks(offset + headerBytes)) {
            return missing(offset + headerBytes);
        }
        view.trafficClass = frame.getByte(offset + 1) & 0xff;
        view.hopLimit = frame.getByte(offset + 8) & 0xff;
        view.protocol = frame.getByte(offset + 9) & 0xff;
        view.sourceHigh = 0;
        view.sourceLow = IpAddress.mapped(frame.getInt(offset + 12, ByteOrder.BIG_ENDIAN));
        view.destinationHigh = 0;
        view.destinationLow = IpAddress.mapped(frame.getInt(offset + 16, ByteOrder.BIG_ENDIAN));
        view.reached = LinkView.REACHED_ADDRESSES;
        int totalLength = u16(frame, offset + 2);
        if (totalLength < headerBytes || totalLength > wireEnd - offset) {
            return LinkResult.IP_LENGTH_WRONG;
        }
        int fragment = u16(frame, offset + 6);
        view.isUnfragmentable = (fragment & DONT_FRAGMENT) != 0;
        // MOP-ENC-8
        if ((fragment & FRAGMENT_MASK) != 0) {
            return LinkResult.FRAGMENT;
        }
        boolean isSumRight = InternetChecksum.fold(InternetChecksum.add(0, frame, offset, headerBytes)) == 0xffff;
        LinkResult result = transport(offset + headerBytes, offset + totalLength, true, view);
        // A wrong header sum outweighs what follows, unless that cannot be read at all.
        return isSumRight || !view.hasPayload() ? result : LinkResult.IP_CHECKSUM_WRONG;
    }

    private LinkResult parseIpv6(int offset, LinkView view) {
        if (lacks(offset + IPV6_BYTES)) {
            return missing(offset + IPV6_BYTES);
        }
        view.trafficClass = (u16(frame, offset) >>> 4) & 0xff;
        view.hopLimit = frame.getByte(offset + 7) & 0xff;
        view.protocol = frame.getByte(offset + 6) & 0xff;
        view.isUnfragmentable = true;
        view.sourceHigh = frame.getLong(offset + 8, ByteOrder.BIG_ENDIAN);
        view.sourceLow = frame.getLong(offset + 16, ByteOrder.BIG_ENDIAN);
        view.destinationHigh = frame.getLong(offset + 24, ByteOrder.BIG_ENDIAN);
        view.destinationLow = frame.getLong(offset + 32, ByteOrder.BIG_ENDIAN);
        view.reached = LinkView.REACHED_ADDRESSES;
        int payloadLength = u16(frame, offset + 4);
        // MOP-ENC-11
        if (payloadLength > wireEnd - offset - IPV6_BYTES) {
            return LinkResult.IP_LENGTH_WRONG;
        }
        return parseExtensions(offset + IPV6_BYTES, offset + IPV6_BYTES + payloadLength, view);
    }

    /** Steps over extension headers, at most {@link #EXTENSIONS_MAX}. */
    private LinkResult parseExtensions(int offset, int packetEnd, LinkView view) {
        int at = offset;
        boolean isRouteFinished = true;
        for (int count = 0; isExtension(view.protocol); count++) {
            if (count == EXTENSIONS_MAX) {
                return LinkResult.IP_EXTENSIONS_TOO_MANY;
            }
            // MOP-ENC-10: hop-by-hop options are the first extension or none (RFC 8200, section 4.1).
            if (view.protocol == HOP_BY_HOP && count > 0) {
                return LinkResult.IP_EXTENSION_WRONG;
            }
            if (at + EXTENSION_BYTES_MIN > packetEnd) {
                return LinkResult.IP_LENGTH_WRONG;
            }
            if (lacks(at + EXTENSION_BYTES_MIN)) {
                return LinkResult.HEADER_TRUNCATED;
            }
            boolean isFragment = view.protocol == FRAGMENT;
            if (isFragment && (u16(frame, at + 2) & FRAGMENT_OFFSET_AND_MORE) != 0) {
                return LinkResult.FRAGMENT;
            }
            if (view.protocol == ROUTING && frame.getByte(at + 3) != 0) {
                isRouteFinished = false;
            }
            view.protocol = frame.getByte(at) & 0xff;
            // A fragment header has no length: it is 8 bytes. This one holds the whole packet (RFC 6946).
            at += isFragment ? EXTENSION_BYTES_MIN : EXTENSION_BYTES_MIN * (1 + (frame.getByte(at + 1) & 0xff));
            if (at > packetEnd) {
                return LinkResult.IP_LENGTH_WRONG;
            }
            if (lacks(at)) {
                return LinkResult.HEADER_TRUNCATED;
            }
        }
        return transport(at, packetEnd, isRouteFinished, view);
    }

    private LinkResult transport(int offset, int packetEnd, boolean isRouteFinished, LinkView view) {
        if (view.protocol != PROTOCOL_UDP) {
            return LinkResult.NOT_UDP;
        }
        return udp.parse(offset, packetEnd, isRouteFinished, view);
    }

    private static boolean isExtension(int protocol) {
        return protocol == HOP_BY_HOP || protocol == ROUTING || protocol == FRAGMENT || protocol == DESTINATION_OPTIONS;
    }
}
