// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import io.metaroce.port.Ecn;

/**
 * The headers of one frame, filled by {@link LinkParser}; reused for every frame. Whatever the result, the headers that
 * could be read are there: see {@link #hasAddresses}, {@link #hasPorts} and {@link #hasPayload}. Offsets are indexes into
 * the buffer that was parsed.
 */
public final class LinkView {
    /** Most VLAN tags that are understood. */
    public static final int VLAN_TAGS_MAX = 2;

    static final int REACHED_LINK = 0;
    static final int REACHED_ADDRESSES = 1;
    static final int REACHED_PORTS = 2;
    static final int REACHED_PAYLOAD = 3;

    final int[] vlanTags = new int[VLAN_TAGS_MAX];
    LinkResult result = LinkResult.TOO_SHORT;
    int reached;
    boolean isTruncated;
    int vlanTagCount;
    long destinationMac;
    long sourceMac;
    int etherType;
    int networkOffset;
    int ipVersion;
    int protocol;
    int trafficClass;
    int hopLimit;
    boolean isUnfragmentable;
    long sourceHigh;
    long sourceLow;
    long destinationHigh;
    long destinationLow;
    int sourcePort;
    int destinationPort;
    int udpChecksum;
    int payloadOffset;
    int payloadLength;
    int capturedPayloadLength;

    /** What became of the frame. */
    public LinkResult result() {
        return result;
    }

    /** Whether addresses, traffic class and hop limit are those of the frame. */
    public boolean hasAddresses() {
        return reached >= REACHED_ADDRESSES;
    }

    /** Whether the UDP ports are those of the frame. */
    public boolean hasPorts() {
        return reached >= REACHED_PORTS;
    }

    /** Whether the payload's place and length are those of the frame, though a checksum or bytes of it may be missing. */
    public boolean hasPayload() {
        return reached >= REACHED_PAYLOAD;
    }

    /** Whether the capture kept less than the frame had, wherever the cut is. */
    public boolean isTruncated() {
        return isTruncated;
    }

    /** VLAN tags: 0 to {@link #VLAN_TAGS_MAX}. */
    public int vlanTagCount() {
        return vlanTagCount;
    }

    /** VLAN id of a tag, 0 being a mere priority tag; the outermost tag is 0. */
    public int vlanId(int tag) {
        return vlanTags[tag] & 0xfff;
    }

    /** Priority of a tag, 0 to 7. */
    public int vlanPriority(int tag) {
        return (vlanTags[tag] >>> 13) & 7;
    }

    /** Destination MAC address in the low 48 bits; Ethernet only, else 0. */
    public long destinationMac() {
        return destinationMac;
    }

    /** Source MAC address in the low 48 bits; Ethernet only, else 0. */
    public long sourceMac() {
        return sourceMac;
    }

    /** EtherType behind the VLAN tags, also of frames that are not IP; 0 for link types without one. */
    public int etherType() {
        return etherType;
    }

    /** Where the IP header begins. */
    public int networkOffset() {
        return networkOffset;
    }

    /** 4 or 6. */
    public int ipVersion() {
        return ipVersion;
    }

    /** IP protocol number behind all extension headers that were understood. */
    public int protocol() {
        return protocol;
    }

    /** The ECN codepoint, see {@link Ecn}. */
    public int ecn() {
        return trafficClass & Ecn.MASK;
    }

    /** Differentiated services codepoint, 0 to 63. */
    public int dscp() {
        return trafficClass >>> 2;
    }

    /** Time to live or hop limit. */
    public int hopLimit() {
        return hopLimit;
    }

    /** Whether no router may fragment it: DF set, or IPv6. */
    public boolean isUnfragmentable() {
        return isUnfragmentable;
    }

    public long sourceHigh() {
        return sourceHigh;
    }

    /** Low half of the source address; IPv4 mapped as in {@link io.metaroce.port.IpAddress}. */
    public long sourceLow() {
        return sourceLow;
    }

    public long destinationHigh() {
        return destinationHigh;
    }

    public long destinationLow() {
        return destinationLow;
    }

    public int sourcePort() {
        return sourcePort;
    }

    public int destinationPort() {
        return destinationPort;
    }

    /** The UDP checksum as it stands in the frame; 0 when the sender computed none. */
    public int udpChecksum() {
        return udpChecksum;
    }

    /** Where the UDP payload begins. */
    public int payloadOffset() {
        return payloadOffset;
    }

    /** Bytes of UDP payload as the UDP header states them: never padding, never a frame check sequence. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Bytes of UDP payload that are there; below {@link #payloadLength} only in truncated captures. */
    public int capturedPayloadLength() {
        return capturedPayloadLength;
    }

    void reset() {
        result = LinkResult.TOO_SHORT;
        reached = REACHED_LINK;
        isTruncated = false;
        vlanTagCount = 0;
        destinationMac = 0;
        sourceMac = 0;
        etherType = 0;
        networkOffset = 0;
        ipVersion = 0;
        protocol = 0;
        payloadOffset = 0;
        payloadLength = 0;
        capturedPayloadLength = 0;
    }
}
