// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import io.metaroce.port.IpAddress;
import io.metaroce.port.PortException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * MAC addresses by IP address: those the operator gave, which never change, and those learned from frames that were for us.
 * Whoever is not known is sent broadcasts, which every point-to-point link and every switch delivers, until it answers.
 * Fixed in size; when it is full nothing more is learned. One lane's.
 */
final class Neighbours {
    static final long BROADCAST = 0xffff_ffff_ffffL;
    /** Peers remembered for each port. */
    static final int CAPACITY = 4_096;

    private static final int SLOTS = 2 * CAPACITY;
    private static final long GIVEN = 1L << 48;
    private static final byte[] NONE = {};
    private static final int MAC_BYTES = 6;
    private static final int HEX = 16;
    private static final int MAC_PART_MAX = 0xff;

    private final long[] high = new long[SLOTS];
    private final long[] low = new long[SLOTS];
    /** MAC with {@link #GIVEN}; 0 where the slot is free, since no station has address 0. */
    private final long[] mac = new long[SLOTS];

    private int size;

    /**
     * @param text {@code ADDRESS=MAC} pairs separated by commas; may be empty
     * @throws PortException in one line if it is something else
     */
    static Neighbours parse(String text, String port) {
        Neighbours neighbours = new Neighbours();
        for (String pair : text.isEmpty() ? new String[0] : text.split(",")) {
            int equals = pair.indexOf('=');
            byte[] address =
                    equals < 0 ? NONE : literal(pair.substring(0, equals).trim());
            long mac = equals < 0 ? 0 : mac(pair.substring(equals + 1).trim());
            if (address.length == 0 || mac <= 0) {
                throw new PortException("port " + port + ": neighbours are ADDRESS=MAC pairs, such as "
                        + "192.0.2.7=02:00:00:00:00:07; '" + pair.trim() + "' is none");
            }
            neighbours.put(IpAddress.high(address), IpAddress.low(address), mac | GIVEN);
        }
        return neighbours;
    }

    /** Where packets for an address are sent. */
    long macOf(long addressHigh, long addressLow) {
        long found = mac[slot(addressHigh, addressLow)] & ~GIVEN;
        return found == 0 ? BROADCAST : found;
    }

    /** An address was heard from a station. */
    void learn(long addressHigh, long addressLow, long fromMac) {
        int slot = slot(addressHigh, addressLow);
        if (mac[slot] == fromMac || fromMac == 0 || (mac[slot] & GIVEN) != 0) {
            return;
        }
        put(addressHigh, addressLow, fromMac);
    }

    private void put(long addressHigh, long addressLow, long value) {
        int slot = slot(addressHigh, addressLow);
        if (mac[slot] == 0) {
            if (size == CAPACITY) {
                return;
            }
            size++;
            high[slot] = addressHigh;
            low[slot] = addressLow;
        }
        mac[slot] = value;
    }

    private int slot(long addressHigh, long addressLow) {
        long hash = (addressHigh * 0x9e37_79b9_7f4a_7c15L + addressLow) * 0xbf58_476d_1ce4_e5b9L;
        int slot = (int) (hash >>> 40) & (SLOTS - 1);
        while (mac[slot] != 0 && (high[slot] != addressHigh || low[slot] != addressLow)) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        return slot;
    }

    private static byte[] literal(String text) {
        try {
            boolean isLiteral = text.indexOf(':') >= 0 || text.matches("[0-9.]+");
            return isLiteral ? InetAddress.getByName(text).getAddress() : NONE;
        } catch (UnknownHostException e) {
            return NONE;
        }
    }

    private static long mac(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != MAC_BYTES) {
            return 0;
        }
        long value = 0;
        for (String part : parts) {
            try {
                int number = Integer.parseInt(part, HEX);
                if (number < 0 || number > MAC_PART_MAX) {
                    return 0;
                }
                value = value << Byte.SIZE | number;
            } catch (NumberFormatException e) {
                return 0;
            }
        }
        return value;
    }
}
