// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

/** Times of a capture as nanoseconds since 1970; pure. */
final class CaptureTime {
    /** {@code if_tsresol} of an interface that states none: microseconds. */
    static final int MICROSECONDS = 6;

    static final int NANOSECONDS = 9;

    /** What cannot be held in 64 bits; the smallest long is no time anybody captured at. */
    static final long OUT_OF_RANGE = Long.MIN_VALUE;

    private static final int BASE_TWO = 0x80;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** 10^19 still fits 64 bits unsigned, which is how it is divided by. */
    private static final int DECIMAL_DIGITS_MAX = 19;

    private static final long[] POWERS_OF_TEN = new long[DECIMAL_DIGITS_MAX + 1];

    static {
        POWERS_OF_TEN[0] = 1;
        for (int i = 1; i <= DECIMAL_DIGITS_MAX; i++) {
            POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
        }
    }

    private CaptureTime() {}

    /**
     * A pcapng time.
     *
     * @param units unsigned count of units since the offset
     * @param resolution the octet of {@code if_tsresol}
     * @return nanoseconds, rounded down, or {@link #OUT_OF_RANGE}
     */
    static long ns(long units, int resolution, long offsetSeconds) {
        int exponent = resolution & 0x7f;
        long ns = (resolution & BASE_TWO) == 0 ? decimalNs(units, exponent) : binaryNs(units, exponent);
        if (ns < 0 || offsetSeconds == 0) {
            return ns;
        }
        long offsetNs = offsetSeconds * NS_PER_SECOND;
        if (offsetNs / NS_PER_SECOND != offsetSeconds) {
            return OUT_OF_RANGE;
        }
        long sum = ns + offsetNs;
        // ns is not negative, so only a positive offset can overflow.
        return offsetNs > 0 && sum < 0 ? OUT_OF_RANGE : sum;
    }

    /** A pcap time: both parts are unsigned, and the fraction may exceed a second in files written carelessly. */
    static long ns(int seconds, int fraction, boolean fractionIsNanoseconds) {
        long fractionUnits = fraction & 0xffff_ffffL;
        return (seconds & 0xffff_ffffL) * NS_PER_SECOND
                + (fractionIsNanoseconds ? fractionUnits : 1000 * fractionUnits);
    }

    private static long decimalNs(long units, int exponent) {
        if (exponent > NANOSECONDS) {
            int digits = exponent - NANOSECONDS;
            return digits > DECIMAL_DIGITS_MAX ? 0 : Long.divideUnsigned(units, POWERS_OF_TEN[digits]);
        }
        long factor = POWERS_OF_TEN[NANOSECONDS - exponent];
        return Long.compareUnsigned(units, Long.MAX_VALUE / factor) > 0 ? OUT_OF_RANGE : units * factor;
    }

    /** {@code floor(units * 10^9 / 2^exponent)} over a 128-bit product. */
    private static long binaryNs(long units, int exponent) {
        long high = Math.multiplyHigh(units, NS_PER_SECOND) + (units < 0 ? NS_PER_SECOND : 0);
        long low = units * NS_PER_SECOND;
        if (exponent >= Long.SIZE) {
            return high >>> Math.min(exponent - Long.SIZE, Long.SIZE - 1);
        }
        if (exponent == 0) {
            return high != 0 || low < 0 ? OUT_OF_RANGE : low;
        }
        long ns = (high << (Long.SIZE - exponent)) | (low >>> exponent);
        return high >>> exponent != 0 || ns < 0 ? OUT_OF_RANGE : ns;
    }
}
