// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import io.metaroce.wrap.FaultPlan;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.regex.Pattern;

/**
 * What an option's value may be: how it is read, how it is written back, what is allowed. Values are {@link Long},
 * {@link Boolean} or {@link String}.
 */
public final class OptionType {
    /** How a value looks in the file, which decides its JSON schema. */
    public enum Shape {
        INTEGER,
        FLAG,
        TEXT,
        SIZE,
        TIME,
        RATE
    }

    private final Shape shape;
    private final String allowed;
    private final Function<String, Object> reader;
    private final Function<Object, String> writer;
    private final long min;
    private final long max;
    private final List<String> choices;

    private OptionType(
            Shape shape,
            String allowed,
            Function<String, Object> reader,
            Function<Object, String> writer,
            Bounds bounds,
            List<String> choices) {
        this.shape = shape;
        this.allowed = allowed;
        this.reader = reader;
        this.writer = writer;
        this.min = bounds.min;
        this.max = bounds.max;
        this.choices = choices;
    }

    private record Bounds(long min, long max) {
        static final Bounds NONE = new Bounds(0, 0);
    }

    static OptionType integer(long min, long max) {
        return number(Shape.INTEGER, min, max, false, OptionType::parseInteger, Long::toString);
    }

    static OptionType powerOfTwo(long min, long max) {
        return number(Shape.INTEGER, min, max, true, OptionType::parseInteger, Long::toString);
    }

    static OptionType size(long minBytes, long maxBytes) {
        return number(Shape.SIZE, minBytes, maxBytes, false, Units::parseBytes, Units::bytes);
    }

    static OptionType powerOfTwoSize(long minBytes, long maxBytes) {
        return number(Shape.SIZE, minBytes, maxBytes, true, Units::parseBytes, Units::bytes);
    }

    static OptionType time(String min, String max) {
        return number(
                Shape.TIME,
                Units.parseNanoseconds(min),
                Units.parseNanoseconds(max),
                false,
                Units::parseNanoseconds,
                Units::nanoseconds);
    }

    static OptionType rate(String min, String max) {
        return number(
                Shape.RATE,
                Units.parseBitsPerSecond(min),
                Units.parseBitsPerSecond(max),
                false,
                Units::parseBitsPerSecond,
                Units::bitsPerSecond);
    }

    static OptionType flag() {
        Function<String, Object> reader = text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("");
        };
        return new OptionType(
                Shape.FLAG, "true or false", reader, Object::toString, Bounds.NONE, List.of("true", "false"));
    }

    static OptionType choice(String... choices) {
        List<String> list = List.of(choices);
        Function<String, Object> reader = text -> {
            if (!list.contains(text)) {
                throw new IllegalArgumentException(Suggestion.phrase(text, list));
            }
            return text;
        };
        return new OptionType(Shape.TEXT, String.join(" or ", list), reader, Object::toString, Bounds.NONE, list);
    }

    static OptionType text(String pattern, String allowed) {
        Pattern compiled = Pattern.compile(pattern);
        Function<String, Object> reader = text -> {
            if (!compiled.matcher(text).matches()) {
                throw new IllegalArgumentException("");
            }
            return text;
        };
        return new OptionType(Shape.TEXT, allowed, reader, Object::toString, Bounds.NONE, List.of());
    }

    /** An IPv4 or IPv6 literal, with a scope if it is link-local; never a name to be looked up. */
    static OptionType addressLiteral() {
        Function<String, Object> reader = text -> {
            if (!AddressLiteral.isLiteral(text)) {
                throw new IllegalArgumentException("names are not looked up here");
            }
            return text;
        };
        return new OptionType(Shape.TEXT, "an IPv4 or IPv6 address", reader, Object::toString, Bounds.NONE, List.of());
    }

    /** A list of address prefixes; the control channel reads it again. */
    static OptionType prefixes() {
        Pattern entry = Pattern.compile("[^,/%]+(/\\d{1,3})?");
        Function<String, Object> reader = text -> {
            for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                String trimmed = part.trim();
                int slash = trimmed.indexOf('/');
                String address = slash < 0 ? trimmed : trimmed.substring(0, slash);
                int bitsMax = address.indexOf(':') >= 0 ? 128 : 32;
                boolean isPrefix = entry.matcher(trimmed).matches()
                        && AddressLiteral.isLiteral(address)
                        && (slash < 0 || Integer.parseInt(trimmed.substring(slash + 1)) <= bitsMax);
                if (!isPrefix) {
                    throw new IllegalArgumentException("\"" + trimmed + "\" is not one");
                }
            }
            return text;
        };
        return new OptionType(
                Shape.TEXT,
                "a list of prefixes such as 10.0.0.0/8,fd00::/8, or nothing",
                reader,
                Object::toString,
                Bounds.NONE,
                List.of());
    }

    /** What the fault decorator understands; its own words say what is wrong. */
    static OptionType faults() {
        Function<String, Object> reader = text -> {
            FaultPlan.parse(text);
            return text;
        };
        return new OptionType(
                Shape.TEXT, "a list of faults, or nothing", reader, Object::toString, Bounds.NONE, List.of());
    }

    private static OptionType number(
            Shape shape,
            long min,
            long max,
            boolean powerOfTwo,
            Function<String, Long> parse,
            LongFunction<String> format) {
        Function<String, Object> reader = text -> {
            long value = parse.apply(text);
            if (value < min || value > max || (powerOfTwo && Long.bitCount(value) != 1)) {
                throw new IllegalArgumentException("");
            }
            return value;
        };
        String allowed = format.apply(min) + " to " + format.apply(max) + (powerOfTwo ? ", a power of two" : "");
        return new OptionType(
                shape, allowed, reader, value -> format.apply((Long) value), new Bounds(min, max), List.of());
    }

    private static long parseInteger(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a whole number is needed", e);
        }
    }

    public Shape shape() {
        return shape;
    }

    /** The allowed values in words, for messages and documentation. */
    public String allowed() {
        return allowed;
    }

    /** Smallest and largest number allowed; meaningful for numbers only. */
    public long min() {
        return min;
    }

    public long max() {
        return max;
    }

    /** The words allowed; empty unless the option is a choice. */
    public List<String> choices() {
        return choices;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if it is not allowed; the message is a hint beyond {@link #allowed}, or empty
     */
    public Object read(String text) {
        return reader.apply(text);
    }

    /** Writes a value as the file would have it. */
    public String write(Object value) {
        return writer.apply(value);
    }
}
