// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.control.config.AddressLiteral;
import io.metaroce.port.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which addresses a peer may have packets sent to (MOP-SEC-12). Without it, whoever reaches the control channel could name a
 * third host in its offer and have us send there. Addresses that are no single host's are never permitted.
 */
public final class AddressFilter {
    /** Every host. */
    public static final AddressFilter ALL = new AddressFilter(List.of());

    private static final int MAPPED_BITS = 128;

    /** IPv4 in its mapped form, its bits counted from the front of the 128. */
    private record Prefix(long high, long low, int bits) {
        boolean contains(long otherHigh, long otherLow) {
            boolean sameFamily = IpAddress.isIpv4(high, low) == IpAddress.isIpv4(otherHigh, otherLow);
            return sameFamily
                    && ((high ^ otherHigh) & mask(bits)) == 0
                    && ((low ^ otherLow) & mask(bits - Long.SIZE)) == 0;
        }

        /** Ones for so many leading bits; none below 1, all from 64 on. */
        private static long mask(int leading) {
            return leading <= 0 ? 0 : leading >= Long.SIZE ? -1 : -1L << (Long.SIZE - leading);
        }
    }

    private final List<Prefix> prefixes;

    private AddressFilter(List<Prefix> prefixes) {
        this.prefixes = List.copyOf(prefixes);
    }

    /**
     * Reads a list such as {@code 10.0.0.0/8,fd00::/8}; empty permits every host.
     *
     * @throws IllegalArgumentException naming the entry that is no prefix
     */
    public static AddressFilter parse(String text) {
        List<Prefix> prefixes = new ArrayList<>();
        for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
            prefixes.add(prefix(entry.trim()));
        }
        return new AddressFilter(prefixes);
    }

    private static Prefix prefix(String entry) {
        int slash = entry.indexOf('/');
        String address = slash < 0 ? entry : entry.substring(0, slash);
        if (!AddressLiteral.isLiteral(address) || address.indexOf('%') >= 0) {
            throw new IllegalArgumentException("\"" + entry + "\" is not an address or prefix");
        }
        byte[] bytes = bytes(address);
        int bitsMax = bytes.length * 8;
        String bits = slash < 0 ? Integer.toString(bitsMax) : entry.substring(slash + 1);
        if (!bits.matches("\\d{1,3}") || Integer.parseInt(bits) > bitsMax) {
            throw new IllegalArgumentException("\"" + entry + "\": a prefix is 0 to " + bitsMax + " bits");
        }
        int mappedBits = MAPPED_BITS - bitsMax + Integer.parseInt(bits);
        return new Prefix(IpAddress.high(bytes), IpAddress.low(bytes), mappedBits);
    }

    private static byte[] bytes(String literal) {
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address", e);
        }
    }

    boolean permits(String literal) {
        byte[] address = bytes(literal);
        return isOneHost(literal)
                && (prefixes.isEmpty()
                        || prefixes.stream()
                                .anyMatch(prefix -> prefix.contains(IpAddress.high(address), IpAddress.low(address))));
    }

    private static boolean isOneHost(String literal) {
        try {
            InetAddress address = InetAddress.getByName(literal);
            return !address.isMulticastAddress() && !address.isAnyLocalAddress() && !literal.equals("255.255.255.255");
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Refuses an offer with an address that is not permitted. */
    void check(Offer offer) throws ConnectFailure {
        for (PlaneOffer plane : offer.planes()) {
            if (!permits(plane.address())) {
                throw new ConnectFailure("address " + plane.address() + " is not permitted here (control.peers)");
            }
        }
    }
}
