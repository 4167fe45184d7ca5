// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Pictures and tables of the specification's chapter 3 are those of the table of layouts")
class SpecifiedLayoutsTest {
    private static final Path CHAPTER = Path.of("..", "docs", "spec", "03-packets.md");
    private static final int ROW_BITS = 32;
    private static final String RULER = """
             0                   1                   2                   3
             0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
            """;
    private static final Pattern ROW =
            Pattern.compile("\\| (\\d+)( high| low)? \\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\|");

    @ParameterizedTest
    @EnumSource
    void thePictureIsDrawnFromTheTable(Layout layout) throws IOException {
        String section = section(layout);
        String drawn = section.substring(section.indexOf("```\n") + 4, section.indexOf("\n```"));

        assertThat(drawn + "\n").isEqualTo(picture(layout));
    }

    @ParameterizedTest
    @EnumSource
    void theTableOfFieldsIsTheTable(Layout layout) throws IOException {
        List<LayoutField> specified = new ArrayList<>();
        String rows = section(layout);
        for (String line :
                rows.substring(rows.indexOf("| byte |")).lines().skip(2).toList()) {
            Matcher row = ROW.matcher(line);
            if (!row.matches()) {
                break;
            }
            int bitOffset = Integer.parseInt(row.group(1)) * Byte.SIZE + (" low".equals(row.group(2)) ? 4 : 0);
            specified.add(new LayoutField(row.group(4), bitOffset, Integer.parseInt(row.group(3))));
        }

        assertThat(specified).isEqualTo(layout.fields());
    }

    @ParameterizedTest
    @EnumSource
    void everyFlagIsExplained(Layout layout) throws IOException {
        String chapter = Files.readString(CHAPTER);
        for (int bit = 0; bit < layout.flags().size(); bit++) {
            String name = layout.flags().get(bit);
            assertThat(chapter).containsAnyOf("| " + bit + " | " + name + " |", "bit " + bit + " " + name + ":");
        }
    }

    @Test
    void theTableOfOperationsIsTheEnumeration() throws IOException {
        String chapter = Files.readString(CHAPTER);
        for (Opcode opcode : Opcode.values()) {
            assertThat(chapter)
                    .contains("| %d | %s | %d | %s | %s |"
                            .formatted(
                                    opcode.code(),
                                    opcode,
                                    opcode.headerLength(),
                                    opcode.carriesPayload() ? "yes" : "no",
                                    opcode.consumesReceive() ? "yes" : "no"));
        }
        for (PacketType type : PacketType.values()) {
            assertThat(chapter).contains("| " + type.code() + " | " + type + " |");
        }
    }

    private static String section(Layout layout) throws IOException {
        String chapter = Files.readString(CHAPTER);
        String marker = "<!-- layout " + layout + " -->\n";
        assertThat(chapter).containsOnlyOnce(marker);
        return chapter.substring(chapter.indexOf(marker) + marker.length());
    }

    /** 32 bits a row, two characters a bit; a field of several rows has its name in the middle one. */
    private static String picture(Layout layout) {
        int bits = layout.lengthBytes() * Byte.SIZE;
        StringBuilder picture = new StringBuilder(RULER).append(line(ROW_BITS));
        for (int row = 0; row * ROW_BITS < bits; row++) {
            int rowStart = row * ROW_BITS;
            boolean isContinued = false;
            for (LayoutField field : layout.fields()) {
                int fieldEnd = field.bitOffset() + field.bits();
                int cell = Math.min(fieldEnd, rowStart + ROW_BITS) - Math.max(field.bitOffset(), rowStart);
                if (cell > 0) {
                    int rows = (field.bits() + ROW_BITS - 1) / ROW_BITS;
                    boolean isNamed = row == field.bitOffset() / ROW_BITS + (rows - 1) / 2;
                    picture.append('|').append(centred(isNamed ? field.name() : "", cell * 2 - 1));
                    isContinued |= fieldEnd > rowStart + ROW_BITS;
                }
            }
            picture.append("|\n");
            picture.append(
                    isContinued
                            ? "+" + " ".repeat(2 * ROW_BITS - 1) + "+\n"
                            : line(Math.min(bits - rowStart, ROW_BITS)));
        }
        return picture.toString();
    }

    private static String line(int bits) {
        return "+-".repeat(bits) + "+\n";
    }

    /** As Python's {@code str.center} does it, which drew the first pictures. */
    private static String centred(String text, int width) {
        int space = width - text.length();
        int left = space / 2 + (space & width & 1);
        char[] cell = new char[width];
        Arrays.fill(cell, ' ');
        text.getChars(0, text.length(), cell, left);
        return new String(cell);
    }
}
