// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import io.metaroce.port.Ecn;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/** Re-marks frames that {@link LinkParser} accepted, as a switch does that is congested. */
public final class EcnField {
    private static final int IPV4_CHECKSUM_OFFSET = 10;

    private EcnField() {}

    /**
     * Rewrites the ECN bits and keeps an IPv4 header checksum right.
     *
     * <pre>
     *   IPv4, first word   version:4 header length:4 dscp:6 ECN:2
     *   IPv6, first word   version:4 dscp:6 ECN:2 flow label:4 ...
     * </pre>
     *
     * @param networkOffset where the IP header begins, see {@link LinkView#networkOffset}
     * @param ecn the new codepoint, see {@link Ecn}
     */
    public static void rewrite(MutableDirectBuffer frame, int networkOffset, int ecn) {
        assert (ecn & ~Ecn.MASK) == 0;
        int word = frame.getShort(networkOffset, ByteOrder.BIG_ENDIAN) & 0xffff;
        if (word >>> 12 == 6) {
            frame.putShort(networkOffset, (short) ((word & ~(Ecn.MASK << 4)) | (ecn << 4)), ByteOrder.BIG_ENDIAN);
            return;
        }
        int marked = (word & ~Ecn.MASK) | ecn;
        int checksumOffset = networkOffset + IPV4_CHECKSUM_OFFSET;
        int checksum = frame.getShort(checksumOffset, ByteOrder.BIG_ENDIAN) & 0xffff;
        frame.putShort(networkOffset, (short) marked, ByteOrder.BIG_ENDIAN);
        // MOP-ENC-13: the checksum covers the bits: forgetting it makes every marked packet look corrupt (B27).
        frame.putShort(checksumOffset, (short) InternetChecksum.update(checksum, word, marked), ByteOrder.BIG_ENDIAN);
    }
}
