// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class CaptureTimeTest {
    private static final BigInteger NS = BigInteger.valueOf(1_000_000_000L);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    @Property
    void everyUnitAgreesWithExactArithmetic(
            @ForAll long units,
            @ForAll @IntRange(max = 255) int resolution,
            @ForAll @LongRange(min = -5, max = 5) long offsetSeconds) {
        BigInteger count = new BigInteger(Long.toUnsignedString(units)).multiply(NS);
        int exponent = resolution & 0x7f;
        BigInteger divisor = (resolution & 0x80) != 0 ? BigInteger.TWO.pow(exponent) : BigInteger.TEN.pow(exponent);
        BigInteger exact = count.divide(divisor);
        BigInteger moved = exact.add(NS.multiply(BigInteger.valueOf(offsetSeconds)));

        long ns = CaptureTime.ns(units, resolution, offsetSeconds);

        if (exact.compareTo(LONG_MAX) > 0 || moved.compareTo(LONG_MAX) > 0) {
            assertThat(ns).isEqualTo(CaptureTime.OUT_OF_RANGE);
        } else {
            assertThat(ns).isEqualTo(moved.longValueExact());
        }
    }

    @Property
    void classicTimesAreUnsigned(@ForAll int seconds, @ForAll int fraction, @ForAll boolean isNano) {
        long expected = Integer.toUnsignedLong(seconds) * 1_000_000_000L
                + Integer.toUnsignedLong(fraction) * (isNano ? 1 : 1000);

        assertThat(CaptureTime.ns(seconds, fraction, isNano)).isEqualTo(expected);
    }
}
