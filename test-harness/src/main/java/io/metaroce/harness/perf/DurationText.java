// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as people write them: {@code 10} (seconds), {@code 10s}, {@code 500ms}, {@code 2min}. */
final class DurationText implements ITypeConverter<Duration> {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|min|)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a time; write 10s, 500ms or 2min");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "min" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
