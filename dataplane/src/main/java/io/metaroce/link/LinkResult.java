// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

/** MOP-ENC-26: what became of a frame. Everything but {@link #OK} is dropped by a lane and counted under its own name. */
public enum LinkResult {
    OK("UDP"),

    // Correct frames that are not for us.
    NOT_IP("not IP"),
    NOT_UDP("not UDP"),
    FRAGMENT("IP fragment"),

    // Frames whose end is not there; only captures have them.
    HEADER_TRUNCATED("truncated inside its headers"),
    PAYLOAD_TRUNCATED("truncated"),

    // Broken frames.
    TOO_SHORT("too short for its headers"),
    VLAN_TAGS_TOO_MANY("more than two VLAN tags"),
    IP_VERSION_WRONG("IP version contradicts the link layer"),
    IP_HEADER_LENGTH_WRONG("IPv4 header length below 20"),
    IP_LENGTH_WRONG("IP length beyond the frame or below its header"),
    IP_CHECKSUM_WRONG("IPv4 header checksum wrong"),
    IP_EXTENSIONS_TOO_MANY("more than eight IPv6 extension headers"),
    IP_EXTENSION_WRONG("IPv6 extension header out of place"),
    IP_ROUTE_UNFINISHED("IPv6 routing header with segments left"),
    UDP_LENGTH_WRONG("UDP length beyond the packet or below its header"),
    UDP_CHECKSUM_WRONG("UDP checksum wrong"),
    UDP_CHECKSUM_MISSING("UDP checksum 0 over IPv6");

    private final String description;

    LinkResult(String description) {
        this.description = description;
    }

    /** A few words for people. */
    public String description() {
        return description;
    }
}
