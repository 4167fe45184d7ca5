// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the fields of one JSON object strictly: each is named once, has its type and range, and none is left over. */
final class FieldReader {
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{16}");
    private static final int LIST_LENGTH_MAX = 64;

    /** Reads one element of a list. */
    interface ElementReader<T> {
        T read(FieldReader element) throws ControlProtocolException;
    }

    private final String where;
    private final JsonNode object;
    private final Set<String> taken = new HashSet<>();

    FieldReader(String where, JsonNode object) throws ControlProtocolException {
        if (!object.isObject()) {
            throw new ControlProtocolException(where + ": an object is needed");
        }
        this.where = where;
        this.object = object;
    }

    /** After all fields were read: refuses any other. */
    void end() throws ControlProtocolException {
        for (var names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!taken.contains(name)) {
                throw new ControlProtocolException(where + ": unknown field \"" + SafeText.line(name) + "\"");
            }
        }
    }

    boolean has(String name) {
        return object.has(name);
    }

    JsonNode any(String name) throws ControlProtocolException {
        taken.add(name);
        JsonNode value = object.get(name);
        if (value == null) {
            throw problem(name, "is missing");
        }
        return value;
    }

    /** Any JSON that can be passed on unchanged: no number beyond a double's range, no half of a surrogate pair. */
    JsonNode json(String name) throws ControlProtocolException {
        JsonNode value = any(name);
        if (!canBePassedOn(value)) {
            throw problem(name, "holds a number or a text that cannot be passed on unchanged");
        }
        return value;
    }

    /** Recursion is bounded by the depth that the parser lets through. */
    private static boolean canBePassedOn(JsonNode value) {
        if (value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue())) {
            return false;
        }
        if (value.isTextual()) {
            return isWellFormed(value.textValue());
        }
        for (var names = value.fieldNames(); names.hasNext(); ) {
            if (!isWellFormed(names.next())) {
                return false;
            }
        }
        for (JsonNode element : value) {
            if (!canBePassedOn(element)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWellFormed(String text) {
        return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
    }

    /** Text of at most so many characters, made safe for one line. */
    String text(String name, int lengthMax) throws ControlProtocolException {
        JsonNode value = any(name);
        if (!value.isTextual() || value.textValue().length() > lengthMax) {
            throw problem(name, "must be a text of at most " + lengthMax + " characters");
        }
        return SafeText.line(value.textValue());
    }

    String matching(String name, Pattern pattern, String meaning) throws ControlProtocolException {
        JsonNode value = any(name);
        if (!value.isTextual() || !pattern.matcher(value.textValue()).matches()) {
            throw problem(name, "must be " + meaning);
        }
        return value.textValue();
    }

    // MOP-CTL-3: numbers without fraction or exponent, 64 bits as hexadecimal text, codes in lower case.
    long number(String name, long min, long max) throws ControlProtocolException {
        JsonNode value = any(name);
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < min
                || value.longValue() > max) {
            throw problem(name, "must be a whole number from " + min + " to " + max);
        }
        return value.longValue();
    }

    int integer(String name, int min, int max) throws ControlProtocolException {
        return (int) number(name, min, max);
    }

    int powerOfTwo(String name, int min, int max) throws ControlProtocolException {
        int value = integer(name, min, max);
        if (Integer.bitCount(value) != 1) {
            throw problem(name, "must be a power of two from " + min + " to " + max);
        }
        return value;
    }

    boolean flag(String name) throws ControlProtocolException {
        JsonNode value = any(name);
        if (!value.isBoolean()) {
            throw problem(name, "must be true or false");
        }
        return value.booleanValue();
    }

    /** 64 bits as 16 hexadecimal digits, because JSON readers elsewhere lose integers beyond 2^53. */
    long hex64(String name) throws ControlProtocolException {
        return Long.parseUnsignedLong(matching(name, HEX, "16 hexadecimal digits"), 16);
    }

    <E extends Enum<E>> E word(String name, Class<E> type) throws ControlProtocolException {
        String text = text(name, 32);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(text)) {
                return constant;
            }
        }
        throw problem(name, "is not a known word");
    }

    List<String> words(String name, Pattern pattern) throws ControlProtocolException {
        List<String> words = new ArrayList<>();
        for (JsonNode element : list(name)) {
            if (!element.isTextual() || !pattern.matcher(element.textValue()).matches()) {
                throw problem(name, "must be a list of words");
            }
            words.add(element.textValue());
        }
        return words;
    }

    FieldReader object(String name) throws ControlProtocolException {
        return new FieldReader(where + "." + name, any(name));
    }

    <T> List<T> objects(String name, int countMin, int countMax, ElementReader<T> reader)
            throws ControlProtocolException {
        List<T> elements = new ArrayList<>();
        JsonNode list = list(name);
        if (list.size() < countMin || list.size() > countMax) {
            throw problem(name, "must have " + countMin + " to " + countMax + " entries");
        }
        for (JsonNode element : list) {
            FieldReader fields = new FieldReader(where + "." + name + "[" + elements.size() + "]", element);
            elements.add(reader.read(fields));
            fields.end();
        }
        return elements;
    }

    private JsonNode list(String name) throws ControlProtocolException {
        JsonNode value = any(name);
        if (!value.isArray() || value.size() > LIST_LENGTH_MAX) {
            throw problem(name, "must be a list of at most " + LIST_LENGTH_MAX + " entries");
        }
        return value;
    }

    ControlProtocolException problem(String name, String text) {
        return new ControlProtocolException(where + "." + name + " " + text);
    }
}
