// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/** Transmit timestamps: 32 bits, unit 16 ns, wrapping every 68.7 s. */
public final class Timestamp {
    private static final int UNIT_SHIFT = 4;
    private static final int DELAY_UNIT_SHIFT = 8;
    private static final int DELAY_MAX = 0xffff;

    private Timestamp() {}

    public static int ofNs(long nowNs) {
        return (int) (nowNs >>> UNIT_SHIFT);
    }

    /** Nanoseconds from a timestamp to a later clock reading; right for spans below 34 s. */
    public static long elapsedNs(int timestamp, long nowNs) {
        return (long) (ofNs(nowNs) - timestamp) << UNIT_SHIFT;
    }

    /** A delay in the unit of the ACK's delay field, 256 ns, saturating at 16.8 ms. */
    public static int encodeDelayNs(long delayNs) {
        return (int) Math.min(Math.max(delayNs, 0) >>> DELAY_UNIT_SHIFT, DELAY_MAX);
    }

    public static long decodeDelayNs(int delay) {
        return (long) delay << DELAY_UNIT_SHIFT;
    }
}
