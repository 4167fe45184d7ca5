// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Builds Ethernet, IP and UDP headers in front of a payload that already stands in the frame, as a port with ETHERNET
 * framing sends it. Configured once for each flow, then used for each packet; allocates nothing. The IP version follows
 * from the addresses. Source: MOP-ENC-1, 5, 6, 9, 12, 19.
 */
public final class FrameBuilder {
    /** Shortest frame without its check sequence that Ethernet carries. */
    public static final int FRAME_BYTES_MIN = 60;

    /** Most bytes that {@link #headerLength} can be: Ethernet, two tags, IPv6, UDP. */
    public static final int HEADER_BYTES_MAX = 14 + 2 * 4 + 40 + 8;

    private static final int HOP_LIMIT_DEFAULT = 64;
    private static final int MAC_BYTES = 6;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int DONT_FRAGMENT = 0x4000;

    private final int[] tags = new int[LinkView.VLAN_TAGS_MAX];
    private int tagCount;
    private long destinationMac;
    private long sourceMac;
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private boolean isIpv4;
    private int sourcePort;
    private int destinationPort;
    private int trafficClass = Ecn.ECT_0;
    private int hopLimit = HOP_LIMIT_DEFAULT;
    private boolean isPadded;

    /** MAC addresses in the low 48 bits. */
    public FrameBuilder ethernet(long destination, long source) {
        destinationMac = destination;
        sourceMac = source;
        return this;
    }

    /**
     * Appends a VLAN tag; the outermost comes first, {@link LinkView#VLAN_TAGS_MAX} at most.
     *
     * @param tagProtocol EtherType that announces the tag: 0x8100, 0x88a8 or 0x9100
     * @param tagControl priority:3, drop eligible:1, VLAN id:12
     */
    public FrameBuilder vlan(int tagProtocol, int tagControl) {
        tags[tagCount++] = tagProtocol << 16 | (tagControl & 0xffff);
        return this;
    }

    /** Addresses as two longs each, see {@link IpAddress}; both IPv4 or both IPv6. */
    public FrameBuilder addresses(long fromHigh, long fromLow, long toHigh, long toLow) {
        isIpv4 = IpAddress.isIpv4(fromHigh, fromLow);
        if (isIpv4 != IpAddress.isIpv4(toHigh, toLow)) {
            throw new IllegalArgumentException("one address is IPv4, the other IPv6");
        }
        sourceHigh = fromHigh;
        sourceLow = fromLow;
        destinationHigh = toHigh;
        destinationLow = toLow;
        return this;
    }

    /** UDP ports; the source is the path's entropy. */
    public FrameBuilder ports(int source, int destination) {
        sourcePort = source;
        destinationPort = destination;
        return this;
    }

    /** Differentiated services codepoint, 0 to 63, and ECN codepoint; without it 0 and ECT(0). */
    public FrameBuilder trafficClass(int dscp, int ecn) {
        trafficClass = dscp << 2 | ecn;
        return this;
    }

    public FrameBuilder hopLimit(int hops) {
        hopLimit = hops;
        return this;
    }

    /** Whether short frames are filled with zeros to {@link #FRAME_BYTES_MIN}, for devices that do not. */
    public FrameBuilder padded(boolean fill) {
        isPadded = fill;
        return this;
    }

    /** Bytes in front of the payload. */
    public int headerLength() {
        return 2 * MAC_BYTES + 4 * tagCount + 2 + (isIpv4 ? IPV4_BYTES : IPV6_BYTES) + UdpParser.HEADER_BYTES;
    }

    /**
     * Writes the headers of a payload that stands at {@code offset + headerLength()}, checksums included.
     *
     * @param payloadLength bytes; with all headers behind Ethernet at most 65,535
     * @return bytes of the frame, without its check sequence
     */
    public int build(MutableDirectBuffer frame, int offset, int payloadLength) {
        int udpLength = UdpParser.HEADER_BYTES + payloadLength;
        assert udpLength + IPV4_BYTES <= 0xffff;
        int network = link(frame, offset);
        int transport = isIpv4 ? ipv4(frame, network, udpLength) : ipv6(frame, network, udpLength);
        udp(frame, transport, udpLength);
        int length = transport + udpLength - offset;
        if (isPadded && length < FRAME_BYTES_MIN) {
            frame.setMemory(offset + length, FRAME_BYTES_MIN - length, (byte) 0);
            return FRAME_BYTES_MIN;
        }
        return length;
    }

    private int link(MutableDirectBuffer frame, int offset) {
        int at = mac(frame, mac(frame, offset, destinationMac), sourceMac);
        for (int i = 0; i < tagCount; i++) {
            frame.putInt(at, tags[i], ByteOrder.BIG_ENDIAN);
            at += Integer.BYTES;
        }
        return u16(frame, at, isIpv4 ? LinkParser.ETHERTYPE_IPV4 : LinkParser.ETHERTYPE_IPV6);
    }

    /** MOP-ENC-6: the id stays 0, since a packet that may not be fragmented needs none. */
    private int ipv4(MutableDirectBuffer frame, int offset, int udpLength) {
        int at = u16(frame, offset, 0x4500 | trafficClass);
        at = u16(frame, u16(frame, at, IPV4_BYTES + udpLength), 0);
        at = u16(frame, at, DONT_FRAGMENT);
        at = u16(frame, at, hopLimit << 8 | IpParser.PROTOCOL_UDP);
        int checksumOffset = at;
        at = u16(frame, at, 0);
        frame.putInt(at, IpAddress.ipv4(sourceLow), ByteOrder.BIG_ENDIAN);
        frame.putInt(at + 4, IpAddress.ipv4(destinationLow), ByteOrder.BIG_ENDIAN);
        u16(frame, checksumOffset, InternetChecksum.of(InternetChecksum.add(0, frame, offset, IPV4_BYTES)));
        return offset + IPV4_BYTES;
    }

    /** MOP-ENC-9: the flow label is the source port, so that switches that look at the label only spread paths as well. */
    private int ipv6(MutableDirectBuffer frame, int offset, int udpLength) {
        frame.putInt(offset, 6 << 28 | trafficClass << 20 | sourcePort, ByteOrder.BIG_ENDIAN);
        int at = u16(frame, offset + 4, udpLength);
        at = u16(frame, at, IpParser.PROTOCOL_UDP << 8 | hopLimit);
        frame.putLong(at, sourceHigh, ByteOrder.BIG_ENDIAN);
        frame.putLong(at + 8, sourceLow, ByteOrder.BIG_ENDIAN);
        frame.putLong(at + 16, destinationHigh, ByteOrder.BIG_ENDIAN);
        frame.putLong(at + 24, destinationLow, ByteOrder.BIG_ENDIAN);
        return offset + IPV6_BYTES;
    }

    private void udp(MutableDirectBuffer frame, int offset, int udpLength) {
        int at = u16(frame, offset, sourcePort);
        at = u16(frame, at, destinationPort);
        at = u16(frame, at, udpLength);
        u16(frame, at, 0);
        int version = isIpv4 ? IpParser.VERSION_4 : IpParser.VERSION_6;
        long sum = PseudoHeader.sum(version, sourceHigh, sourceLow, destinationHigh, destinationLow, udpLength);
        int checksum = InternetChecksum.of(InternetChecksum.add(sum, frame, offset, udpLength));
        // MOP-ENC-19: 0 would say that there is none.
        u16(frame, at, checksum == 0 ? 0xffff : checksum);
    }

    private static int mac(MutableDirectBuffer frame, int offset, long mac) {
        frame.putInt(u16(frame, offset, (int) (mac >>> 32)), (int) mac, ByteOrder.BIG_ENDIAN);
        return offset + MAC_BYTES;
    }

    private static int u16(MutableDirectBuffer frame, int offset, int value) {
        frame.putShort(offset, (short) value, ByteOrder.BIG_ENDIAN);
        return offset + Short.BYTES;
    }
}
