// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/**
 * IP addresses as two longs, so that a lane compares them without objects: IPv6 in network order, the first eight bytes
 * in {@code high}; IPv4 as its mapped form {@code ::ffff:a.b.c.d} (RFC 4291, section 2.5.5.2).
 */
public final class IpAddress {
    private static final long MAPPED_PREFIX = 0x0000_ffff_0000_0000L;
    private static final long IPV4_MASK = 0xffff_ffffL;

    private IpAddress() {}

    /** The low half of an IPv4 address given as a big-endian number; its high half is 0. */
    public static long mapped(int ipv4) {
        return MAPPED_PREFIX | (ipv4 & IPV4_MASK);
    }

    public static boolean isIpv4(long high, long low) {
        return high == 0 && (low & ~IPV4_MASK) == MAPPED_PREFIX;
    }

    /** The IPv4 address as a big-endian number; meaningful only if {@link #isIpv4}. */
    public static int ipv4(long low) {
        return (int) low;
    }

    /** High half of an address of 4 or 16 bytes in network order. */
    public static long high(byte[] address) {
        return address.length == 4 ? 0 : bigEndian(address, 0, 8);
    }

    /** Low half of an address of 4 or 16 bytes in network order. */
    public static long low(byte[] address) {
        return address.length == 4 ? mapped((int) bigEndian(address, 0, 4)) : bigEndian(address, 8, 8);
    }

    /** The address in network order: 4 bytes if it is IPv4, else 16. */
    public static byte[] bytes(long high, long low) {
        boolean isIpv4 = isIpv4(high, low);
        byte[] bytes = new byte[isIpv4 ? 4 : 16];
        for (int i = 0; i < bytes.length; i++) {
            int fromEnd = bytes.length - 1 - i;
            bytes[i] = (byte) (fromEnd < 8 ? low >>> (8 * fromEnd) : high >>> (8 * (fromEnd - 8)));
        }
        return bytes;
    }

    private static long bigEndian(byte[] bytes, int offset, int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = (value << 8) | (bytes[offset + i] & 0xffL);
        }
        return value;
    }
}
