// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/** The words of one line of a script: a verb, plain words, and {@code name=value}. */
record Words(List<String> words) {
    static Words of(String line) {
        return new Words(List.of(line.strip().split("\\s+", -1)));
    }

    String verb() {
        return words.get(0);
    }

    String word(int index) {
        assertThat(words.size()).as("words of the line").isGreaterThan(index);
        return words.get(index);
    }

    long number(int index) {
        return Long.decode(word(index));
    }

    /** A time with its unit: us or ms or s. */
    static long nanoseconds(String text) {
        if (text.endsWith("ms")) {
            return Long.parseLong(text.substring(0, text.length() - 2)) * 1_000_000;
        }
        if (text.endsWith("us")) {
            return Long.parseLong(text.substring(0, text.length() - 2)) * 1_000;
        }
        return Long.parseLong(text.substring(0, text.length() - 1)) * 1_000_000_000;
    }

    /** Whether a plain word stands somewhere behind the verb. */
    boolean has(String word) {
        return words.indexOf(word) > 0;
    }

    boolean sets(String name) {
        return words.stream().anyMatch(word -> word.startsWith(name + "="));
    }

    String text(String name, String otherwise) {
        return words.stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }

    String text(String name) {
        assertThat(sets(name)).as("%s= is wanted", name).isTrue();
        return text(name, "");
    }

    long value(String name, long otherwise) {
        return sets(name) ? Long.decode(text(name)) : otherwise;
    }

    /** A 32-bit number, written signed or unsigned. */
    int sequence(String name, long otherwise) {
        return (int) value(name, otherwise);
    }

    /** If the line says what a field is, it must be that. */
    void check(String name, long actual) {
        if (sets(name)) {
            assertThat(actual).as(name).isEqualTo(value(name, 0));
        }
    }

    /** As {@link #check}, for a field of 32 bits; {@code offset} is added to what the line says. */
    void checkSequence(String name, int actual, int offset) {
        if (sets(name)) {
            assertThat(Integer.toUnsignedString(actual))
                    .as(name)
                    .isEqualTo(Integer.toUnsignedString(sequence(name, 0) + offset));
        }
    }

    /** A flag that must be set if and only if the line has the word. */
    void checkFlag(String word, boolean actual) {
        assertThat(actual).as(word).isEqualTo(has(word));
    }

    /** What the line calls the packet: the word behind {@code as}; empty if it does not. */
    String name() {
        int at = words.indexOf("as");
        return at < 0 ? "" : word(at + 1);
    }

    /** Sequences as {@code 1,3-5,9}. */
    int[] sequences(String name) {
        return Arrays.stream(text(name).split(",", -1))
                .flatMapToInt(Words::range)
                .toArray();
    }

    private static java.util.stream.IntStream range(String text) {
        int dash = text.indexOf('-', 1);
        int first = (int) (long) Long.decode(dash < 0 ? text : text.substring(0, dash));
        int last = dash < 0 ? first : (int) (long) Long.decode(text.substring(dash + 1));
        return java.util.stream.IntStream.rangeClosed(0, last - first).map(i -> first + i);
    }
}
