// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is said of one packet: numbers as Long, everything else as text; reused. */
final class Line {
    private final Map<Field, Object> values = new EnumMap<>(Field.class);

    void clear() {
        values.clear();
    }

    void number(Field field, long value) {
        values.put(field, value);
    }

    /** A 32-bit number that the wire means as unsigned. */
    void unsigned(Field field, int value) {
        values.put(field, Integer.toUnsignedLong(value));
    }

    void hex(Field field, int value) {
        values.put(field, "0x" + Integer.toHexString(value));
    }

    void hex(Field field, long value) {
        values.put(field, "0x" + Long.toHexString(value));
    }

    /** Text, made safe: a capture must not be able to drive a terminal or to forge a line. */
    void text(Field field, String text) {
        values.put(field, SafeText.of(text));
    }

    /** Adds a problem to those already said. */
    void problem(String text) {
        Object before = values.get(Field.PROBLEM);
        values.put(Field.PROBLEM, before == null ? SafeText.of(text) : before + "; " + SafeText.of(text));
    }

    @Nullable
    Object get(Field field) {
        return values.get(field);
    }

    boolean has(Field field) {
        return values.containsKey(field);
    }

    /** What was said, in the order of the table. */
    Map<Field, Object> values() {
        return values;
    }
}
