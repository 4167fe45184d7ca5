// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as people write them: {@code 64}, {@code 64K}, {@code 8M}, {@code 1GiB}; K is 1024. */
final class SizeText implements ITypeConverter<Long> {
    /** Largest message of a run in bytes. */
    static final long SIZE_MAX = 1L << 30;

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMG]?)(?:I?B)?", Pattern.CASE_INSENSITIVE);

    @Override
    public Long convert(String text) {
        return parse(text);
    }

    static long parse(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size; write 64, 64K or 8M");
        }
        int shift = switch (matcher.group(2).toUpperCase(Locale.ROOT)) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> 0;
        };
        long bytes = Long.parseLong(matcher.group(1)) << shift;
        if (bytes > SIZE_MAX) {
            throw new TypeConversionException("'" + text + "' is too large; a message has at most 1G");
        }
        return bytes;
    }
}
