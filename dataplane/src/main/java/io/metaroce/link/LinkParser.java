// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads link, IP and UDP headers of untrusted frames: everything that {@link LinkView} promises is checked here, once, by
 * comparisons of its own and not by a buffer's bounds checks. One parser for each user; allocates nothing.
 *
 * <pre>
 *   Ethernet                     Linux cooked (113)         Linux cooked 2 (276)       null, loop
 *   0   destination MAC          0   kind of packet:16      0   protocol:16            0  address family:32
 *   6   source MAC               2   hardware type:16       2   reserved:16            4  IP
 *   12 [0x8100|88a8|9100, tag]   4   address length:16      4   interface:32
 *   12  EtherType:16             6   address:64             8   hardware type:16, kind:8, address length:8
 *   14  IP                       14  protocol:16, IP        12  address:64, IP
 * </pre>
 */
public final class LinkParser {
    static final int ETHERTYPE_IPV4 = 0x0800;
    static final int ETHERTYPE_IPV6 = 0x86dd;
    static final int ETHERTYPE_VLAN = 0x8100;
    static final int ETHERTYPE_SERVICE_VLAN = 0x88a8;
    static final int ETHERTYPE_OLD_SERVICE_VLAN = 0x9100;

    private static final int ETHERNET_BYTES = 14;
    private static final int MAC_BYTES = 6;
    private static final int VLAN_TAG_BYTES = 4;
    private static final int COOKED_BYTES = 16;
    private static final int COOKED_2_BYTES = 20;
    private static final int FAMILY_BYTES = 4;

    private final IpParser ip = new IpParser();

    /** Parses a frame that is all there. */
    public LinkResult parse(LinkType type, UnsafeBuffer frame, int offset, int length, LinkView view) {
        return parse(type, frame, offset, length, length, view);
    }

    /**
     * Parses a frame of a capture.
     *
     * @param frame memory; {@code offset + length} must lie within it
     * @param length bytes that are there
     * @param wireLength bytes the frame had; below {@code length} it is taken as {@code length}
     * @param view filled as far as the result says
     * @return the same as {@link LinkView#result}
     */
    public LinkResult parse(LinkType type, UnsafeBuffer frame, int offset, int length, long wireLength, LinkView view) {
        assert offset >= 0 && length >= 0 && length <= frame.capacity() - offset;
        view.reset();
        int end = offset + length;
        // Headers are 16 bits of length at most, so a longer frame parses as one of the longest int.
        long wireEnd = Math.min(Math.max(offset + wireLength, end), Integer.MAX_VALUE);
        ip.frame(frame, end, (int) wireEnd);
        view.isTruncated = wireEnd > end;
        view.result = parseLink(type, frame, offset, view);
        return view.result;
    }

    private LinkResult parseLink(LinkType type, UnsafeBuffer frame, int offset, LinkView view) {
        return switch (type) {
            case ETHERNET -> parseEthernet(frame, offset, view);
            case LINUX_COOKED -> parseCooked(frame, offset, COOKED_BYTES, offset + COOKED_BYTES - 2, view);
            case LINUX_COOKED_2 -> parseCooked(frame, offset, COOKED_2_BYTES, offset, view);
            case NULL, LOOP -> parseFamily(frame, offset, view);
            case RAW, RAW_DLT, RAW_OPENBSD -> ip.parse(offset, IpParser.VERSION_ANY, view);
            case IPV4 -> ip.parse(offset, IpParser.VERSION_4, view);
            case IPV6 -> ip.parse(offset, IpParser.VERSION_6, view);
        };
    }

    private LinkResult parseEthernet(UnsafeBuffer frame, int offset, LinkView view) {
        if (ip.lacks(offset + ETHERNET_BYTES)) {
            return ip.missing(offset + ETHERNET_BYTES);
        }
        view.destinationMac = mac(frame, offset);
        view.sourceMac = mac(frame, offset + MAC_BYTES);
        return parseEtherType(frame, offset + ETHERNET_BYTES, u16(frame, offset + 2 * MAC_BYTES), view);
    }

    private LinkResult parseCooked(UnsafeBuffer frame, int offset, int bytes, int protocolOffset, LinkView view) {
        if (ip.lacks(offset + bytes)) {
            return ip.missing(offset + bytes);
        }
        return parseEtherType(frame, offset + bytes, u16(frame, protocolOffset), view);
    }

    /** MOP-ENC-3: steps over VLAN tags, at most {@link LinkView#VLAN_TAGS_MAX}, to the network header. */
    private LinkResult parseEtherType(UnsafeBuffer frame, int offset, int firstEtherType, LinkView view) {
        int at = offset;
        int etherType = firstEtherType;
        while (isVlan(etherType)) {
            if (view.vlanTagCount == LinkView.VLAN_TAGS_MAX) {
                return LinkResult.VLAN_TAGS_TOO_MANY;
            }
            if (ip.lacks(at + VLAN_TAG_BYTES)) {
                return ip.missing(at + VLAN_TAG_BYTES);
            }
            view.vlanTags[view.vlanTagCount++] = u16(frame, at);
            etherType = u16(frame, at + 2);
            at += VLAN_TAG_BYTES;
        }
        view.etherType = etherType;
        return switch (etherType) {
            case ETHERTYPE_IPV4 -> ip.parse(at, IpParser.VERSION_4, view);
            case ETHERTYPE_IPV6 -> ip.parse(at, IpParser.VERSION_6, view);
            default -> LinkResult.NOT_IP;
        };
    }

    /** The family is in the order of whoever captured; families are small, which tells the order. */
    private LinkResult parseFamily(UnsafeBuffer frame, int offset, LinkView view) {
        if (ip.lacks(offset + FAMILY_BYTES)) {
            return ip.missing(offset + FAMILY_BYTES);
        }
        int stated = frame.getInt(offset, ByteOrder.BIG_ENDIAN);
        int family = stated >>> 16 == 0 ? stated : Integer.reverseBytes(stated);
        return switch (family) {
            case 2 -> ip.parse(offset + FAMILY_BYTES, IpParser.VERSION_4, view);
            // IPv6 on Linux, NetBSD, FreeBSD and Darwin.
            case 10, 24, 28, 30 -> ip.parse(offset + FAMILY_BYTES, IpParser.VERSION_6, view);
            default -> LinkResult.NOT_IP;
        };
    }

    private static boolean isVlan(int etherType) {
        return etherType == ETHERTYPE_VLAN
                || etherType == ETHERTYPE_SERVICE_VLAN
                || etherType == ETHERTYPE_OLD_SERVICE_VLAN;
    }

    private static long mac(DirectBuffer frame, int offset) {
        return ((long) u16(frame, offset) << 32) | (frame.getInt(offset + 2, ByteOrder.BIG_ENDIAN) & 0xffff_ffffL);
    }

    static int u16(DirectBuffer frame, int offset) {
        return frame.getShort(offset, ByteOrder.BIG_ENDIAN) & 0xffff;
    }
}
