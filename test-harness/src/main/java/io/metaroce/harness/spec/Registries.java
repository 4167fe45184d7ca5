// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import io.metaroce.wire.Layout;
import io.metaroce.wire.LayoutField;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.Syndrome;

/** The numbers that version 1 assigns, and every header as a table, from the tables that the code itself is checked against. */
final class Registries {
    private Registries() {}

    static String markdown() {
        StringBuilder text =
                new StringBuilder("# Registries\n\nMade from the tables of the reference implementation.\n");
        text.append("\n## Packet types\n\n| code | type |\n|---|---|\n");
        for (PacketType type : PacketType.values()) {
            text.append("| ").append(type.code()).append(" | ").append(type).append(" |\n");
        }
        text.append("| 6 to 15 | unassigned, dropped |\n");
        text.append("\n## Operations\n\n| code | operation | header bytes | payload | consumes a receive |\n");
        text.append("|---|---|---|---|---|\n");
        for (Opcode opcode : Opcode.values()) {
            text.append("| ").append(opcode.code()).append(" | ").append(opcode).append(" | ");
            text.append(opcode.headerLength()).append(" | ").append(opcode.carriesPayload() ? "yes" : "no");
            text.append(" | ").append(opcode.consumesReceive() ? "yes" : "no").append(" |\n");
        }
        text.append("| 0, 12 to 255 | unassigned, dropped | | | |\n");
        text.append("\n## Syndromes\n\n| code | syndrome |\n|---|---|\n");
        for (Syndrome syndrome : Syndrome.values()) {
            text.append("| ")
                    .append(syndrome.code())
                    .append(" | ")
                    .append(syndrome)
                    .append(" |\n");
        }
        text.append("| others | read as OPERATIONAL |\n\n## Headers\n");
        for (Layout layout : Layout.values()) {
            layout(layout, text);
        }
        return text.toString();
    }

    private static void layout(Layout layout, StringBuilder text) {
        text.append("\n### ")
                .append(layout)
                .append(", ")
                .append(layout.lengthBytes())
                .append(" bytes\n\n");
        text.append("| byte | bit | bits | field |\n|---|---|---|---|\n");
        for (LayoutField field : layout.fields()) {
            text.append("| ").append(field.bitOffset() / Byte.SIZE);
            text.append(" | ").append(field.bitOffset() % Byte.SIZE);
            text.append(" | ")
                    .append(field.bits())
                    .append(" | ")
                    .append(field.name())
                    .append(" |\n");
        }
        if (!layout.flags().isEmpty()) {
            text.append("\nFlags, from the least significant bit: ");
            text.append(String.join(", ", layout.flags())).append(".\n");
        }
    }
}
