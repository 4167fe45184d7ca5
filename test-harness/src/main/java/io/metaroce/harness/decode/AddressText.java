// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.port.IpAddress;

/** Addresses as people write them; IPv6 by RFC 5952, in brackets when a port follows. */
public final class AddressText {
    private static final int GROUPS = 8;

    private AddressText() {}

    static String withPort(long high, long low, int port) {
        String address = of(high, low);
        return address.indexOf(':') < 0 ? address + ':' + port : '[' + address + "]:" + port;
    }

    public static String of(long high, long low) {
        if (IpAddress.isIpv4(high, low)) {
            int ipv4 = IpAddress.ipv4(low);
            return (ipv4 >>> 24) + "." + ((ipv4 >>> 16) & 0xff) + '.' + ((ipv4 >>> 8) & 0xff) + '.' + (ipv4 & 0xff);
        }
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? high : low;
            groups[i] = (int) (half >>> (16 * (3 - i % 4))) & 0xffff;
        }
        int start = longestZeroRun(groups);
        int end = start;
        while (end < GROUPS && start >= 0 && groups[end] == 0) {
            end++;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == start) {
                text.append("::");
                i = end - 1;
            } else {
                text.append(i > 0 && i != end ? ":" : "").append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    /** Where the first longest run of two zero groups or more begins, or -1. */
    private static int longestZeroRun(int[] groups) {
        int best = -1;
        int bestLength = 1;
        int length = 0;
        for (int i = 0; i < GROUPS; i++) {
            length = groups[i] == 0 ? length + 1 : 0;
            if (length > bestLength) {
                bestLength = length;
                best = i + 1 - length;
            }
        }
        return best;
    }
}
