// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sizes, times and rates as people write them: {@code 64KiB}, {@code 2ms}, {@code 10Gbit}. */
public final class Units {
    private static final Map<String, Long> BYTES = table("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> NANOSECONDS =
            table("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "min", 60_000_000_000L);
    private static final Map<String, Long> BITS_PER_SECOND =
            table("bit", 1L, "Kbit", 1_000L, "Mbit", 1_000_000L, "Gbit", 1_000_000_000L);

    private Units() {}

    /** Bytes of a text such as {@code 64KiB}; a bare number is bytes. */
    public static long parseBytes(String text) {
        return parse(text, BYTES, "B", "sizes are written as 512, 64KiB, 8MiB or 1GiB");
    }

    /** Nanoseconds of a text such as {@code 2ms}; a bare number other than 0 has no unit and is refused. */
    public static long parseNanoseconds(String text) {
        return parse(text, NANOSECONDS, "", "times are written with a unit: 100us, 2ms, 5s or 1min");
    }

    /** Bits per second of a text such as {@code 10Gbit}. */
    public static long parseBitsPerSecond(String text) {
        return parse(text, BITS_PER_SECOND, "", "rates are written with a unit: 100Mbit or 10Gbit");
    }

    public static String bytes(long value) {
        return format(value, BYTES);
    }

    public static String nanoseconds(long value) {
        return format(value, NANOSECONDS);
    }

    public static String bitsPerSecond(long value) {
        return format(value, BITS_PER_SECOND);
    }

    private static long parse(String text, Map<String, Long> units, String defaultUnit, String hint) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        String unit = text.substring(digits).trim();
        if (unit.isEmpty()) {
            unit = text.equals("0") ? units.keySet().iterator().next() : defaultUnit;
        }
        Long factor = units.get(unit);
        if (digits == 0 || digits > 18 || factor == null) {
            throw new IllegalArgumentException(hint);
        }
        try {
            return Math.multiplyExact(Long.parseLong(text.substring(0, digits)), factor);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("too large", e);
        }
    }

    /** The largest unit that divides the value: exact, and read back as the same number. */
    private static String format(long value, Map<String, Long> units) {
        String best = value + units.keySet().iterator().next();
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (value != 0 && value % unit.getValue() == 0) {
                best = String.format(Locale.ROOT, "%d%s", value / unit.getValue(), unit.getKey());
            }
        }
        return best;
    }

    private static Map<String, Long> table(Object... namesAndFactors) {
        Map<String, Long> table = new LinkedHashMap<>();
        for (int i = 0; i < namesAndFactors.length; i += 2) {
            table.put((String) namesAndFactors[i], (Long) namesAndFactors[i + 1]);
        }
        return table;
    }
}
