// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The one's complement checksum of IPv4 headers and UDP (RFC 1071), and its incremental change (RFC 1624). Sums are kept
 * in a long and folded once at the end: 2^31 bytes cannot overflow it.
 */
public final class InternetChecksum {
    private InternetChecksum() {}

    /** Adds bytes, the first one being the high half of a word, to a sum; an odd last byte counts as a high half. */
    public static long add(long sum, DirectBuffer bytes, int offset, int length) {
        long total = sum;
        int at = offset;
        int end = offset + length;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            total = add(total, bytes.getLong(at, ByteOrder.BIG_ENDIAN));
        }
        for (; end - at >= Short.BYTES; at += Short.BYTES) {
            total += bytes.getShort(at, ByteOrder.BIG_ENDIAN) & 0xffff;
        }
        return at < end ? total + ((bytes.getByte(at) & 0xff) << 8) : total;
    }

    /** Adds eight bytes given as a big-endian number. */
    public static long add(long sum, long bigEndian) {
        return sum + (bigEndian >>> 32) + (bigEndian & 0xffff_ffffL);
    }

    /** The sum as 16 bits; 0xffff over bytes that contain their own right checksum. */
    public static int fold(long sum) {
        long folded = (sum >>> 32) + (sum & 0xffff_ffffL);
        folded = (folded >>> 32) + (folded & 0xffff_ffffL);
        folded = (folded >>> 16) + (folded & 0xffff);
        folded = (folded >>> 16) + (folded & 0xffff);
        return (int) ((folded >>> 16) + (folded & 0xffff));
    }

    /** The checksum to write for a sum. */
    public static int of(long sum) {
        return ~fold(sum) & 0xffff;
    }

    /**
     * The checksum after one word changed, without the other bytes: RFC 1624, equation 3, which unlike equation 4 never
     * yields the other zero and so equals the full sum. A checksum that was wrong stays wrong.
     */
    public static int update(int checksum, int oldWord, int newWord) {
        return of((long) (~checksum & 0xffff) + (~oldWord & 0xffff) + (newWord & 0xffff));
    }
}
