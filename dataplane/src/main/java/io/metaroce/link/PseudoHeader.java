// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

/** What a UDP checksum covers of the IP header: addresses, protocol, length (RFC 768; RFC 8200, section 8.1). */
final class PseudoHeader {
    private static final long IPV4_MASK = 0xffff_ffffL;

    private PseudoHeader() {}

    static long sum(
            int ipVersion, long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, int udpLength) {
        long fixed = (long) IpParser.PROTOCOL_UDP + udpLength;
        if (ipVersion == IpParser.VERSION_4) {
            // The mapped prefix is no part of an IPv4 address on the wire.
            return fixed + (sourceLow & IPV4_MASK) + (destinationLow & IPV4_MASK);
        }
        long sum = InternetChecksum.add(InternetChecksum.add(fixed, sourceHigh), sourceLow);
        return InternetChecksum.add(InternetChecksum.add(sum, destinationHigh), destinationLow);
    }
}
