// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class ConfigPropertyTest {
    @Property
    void readsBackEveryNumberWithItsUnit(@ForAll @LongRange(min = 0, max = 1L << 50) long value) {
        assertThat(Units.parseBytes(Units.bytes(value))).isEqualTo(value);
        assertThat(Units.parseNanoseconds(Units.nanoseconds(value))).isEqualTo(value);
        assertThat(Units.parseBitsPerSecond(Units.bitsPerSecond(value))).isEqualTo(value);
    }

    /** Whatever stands in a file, the answer is a configuration or lines for the operator, never another exception. */
    @Property(tries = 2000)
    void answersAnyTextWithAConfigurationOrWithLines(@ForAll("texts") String text) {
        try {
            assertThat(ConfigLoader.loadText("f", text, Map.of(), List.of()).config())
                    .isNotNull();
        } catch (ConfigException e) {
            assertThat(e.problems())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line)
                            .startsWith("f")
                            .doesNotContain("\n")
                            .hasSizeLessThan(800));
        }
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> words = Arbitraries.of(
                "lanes",
                "ports",
                "transport",
                "count",
                "paths",
                "1",
                "8",
                "-",
                ":",
                " ",
                "\n",
                "  ",
                "{",
                "}",
                "[",
                "]",
                ",",
                "\"",
                "'",
                "&a",
                "*a",
                "!!int",
                "|",
                ">",
                "#",
                "%",
                "---",
                "...",
                "\t",
                "null",
                "~",
                "?",
                "name",
                "options",
                "faults",
                ".",
                "é",
                "\u0000",
                "<<");
        Arbitrary<String> lines = words.list().ofMaxSize(24).map(list -> String.join("", list));
        return Arbitraries.oneOf(lines, Arbitraries.strings().ofMaxLength(60));
    }

    @Property
    void isNearToAWordWithOneMistake(@ForAll("keys") String key, @ForAll @LongRange(min = 0, max = 99) long where) {
        int at = (int) (where % key.length());
        String misspelt = key.substring(0, at) + key.substring(at + 1);

        assertThat(Suggestion.distance(key, misspelt)).isEqualTo(1);
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.of(Option.values()).map(Option::key);
    }
}
