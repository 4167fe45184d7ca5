// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import io.metaroce.wire.Layout;
import io.metaroce.wire.LayoutField;
import io.metaroce.wire.MopFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.Syndrome;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Wireshark dissector: what is table is made from the code's tables, what is conduct stands in a resource. */
final class Dissector {
    private static final Set<String> HEXADECIMAL =
            Set.of("destination connection id", "rkey", "remote address", "immediate", "usable planes", "flags");

    private Dissector() {}

    /** The whole script. */
    static String lua() throws IOException {
        return SpecPage.resource("dissector.lua").replace("@TABLES@", tables());
    }

    private static String tables() {
        StringBuilder lua = new StringBuilder();
        lua.append("local VERSION = ").append(MopFlyweight.VERSION).append('\n');
        lua.append(values("TYPES", Stream.of(PacketType.values()).map(type -> Map.entry(type.code(), type.name()))));
        lua.append(values("OPCODES", Stream.of(Opcode.values()).map(code -> Map.entry(code.code(), code.name()))));
        lua.append(values("SYNDROMES", Stream.of(Syndrome.values()).map(code -> Map.entry(code.code(), code.name()))));
        lua.append(Stream.of(Opcode.values())
                .filter(Opcode::isResponse)
                .map(opcode -> "[" + opcode.code() + "] = true")
                .collect(Collectors.joining(", ", "local RESPONSES = { ", " }\n\n")));
        fields(lua);
        lua.append("f.crc = ProtoField.uint32(\"metaroce.crc\", \"checksum\", base.HEX)\n\n");
        flags(lua);
        lua.append("\nlocal LAYOUTS = {}\n");
        for (Layout layout : Layout.values()) {
            layout(layout, lua);
        }
        return lua.toString();
    }

    private static String values(String name, Stream<Map.Entry<Integer, String>> entries) {
        return entries.map(entry -> "[" + entry.getKey() + "] = \"" + entry.getValue() + '"')
                .collect(Collectors.joining(",\n  ", "local " + name + " = {\n  ", ",\n}\n"));
    }

    /** One declaration for each name, whichever headers have it. */
    private static void fields(StringBuilder lua) {
        Map<String, LayoutField> byName = new TreeMap<>();
        for (Layout layout : Layout.values()) {
            for (LayoutField field : layout.fields()) {
                LayoutField known = field.isReserved() ? field : byName.putIfAbsent(field.name(), field);
                if (known != null && known.bits() != field.bits()) {
                    throw new IllegalStateException(field.name() + " has two widths");
                }
            }
        }
        byName.values()
                .forEach(field -> lua.append("f.")
                        .append(word(field.name()))
                        .append(" = ")
                        .append(declaration(field))
                        .append('\n'));
    }

    private static String declaration(LayoutField field) {
        String names = "\"metaroce." + word(field.name()) + "\", \"" + field.name() + '"';
        if (field.bits() > Long.SIZE) {
            return "ProtoField.bytes(" + names + ')';
        }
        String base = HEXADECIMAL.contains(field.name()) ? "base.HEX" : "base.DEC";
        String values = switch (field.name()) {
            case "opcode" -> "OPCODES";
            case "syndrome" -> "SYNDROMES";
            case "type" -> "TYPES";
            default -> "nil";
        };
        int bits = Math.max(field.bits(), Byte.SIZE);
        String mask = "";
        if (field.bits() < Byte.SIZE) {
            int shift = Byte.SIZE - field.bits() - field.bitOffset() % Byte.SIZE;
            mask = ", 0x" + Integer.toHexString(((1 << field.bits()) - 1) << shift);
        }
        String tail = values.equals("nil") && mask.isEmpty() ? "" : ", " + values + mask;
        return "ProtoField.uint" + bits + '(' + names + ", " + base + tail + ')';
    }

    private static void flags(StringBuilder lua) {
        for (Layout layout : Layout.values()) {
            for (int bit = 0; bit < layout.flags().size(); bit++) {
                String name = layout.flags().get(bit);
                lua.append("f.").append(flag(layout, name)).append(" = ProtoField.bool(\"metaroce.");
                lua.append(layout.name().toLowerCase(Locale.ROOT)).append('.').append(word(name));
                lua.append("\", \"").append(name).append("\", 8, nil, 0x");
                lua.append(Integer.toHexString(1 << bit)).append(")\n");
            }
        }
    }

    private static void layout(Layout layout, StringBuilder lua) {
        lua.append("LAYOUTS.").append(layout).append(" = {\n  length = ").append(layout.lengthBytes());
        lua.append(",\n  flags = { ");
        layout.flags()
                .forEach(name -> lua.append("f.").append(flag(layout, name)).append(", "));
        lua.append("},\n  fields = {\n");
        for (LayoutField field : layout.fields()) {
            if (!field.isReserved()) {
                lua.append("    { name = \"").append(field.name()).append("\", field = f.");
                lua.append(word(field.name())).append(", at = ").append(field.bitOffset() / Byte.SIZE);
                lua.append(", bytes = ").append(Math.max(1, field.bits() / Byte.SIZE));
                lua.append(field.name().equals("flags") ? ", flags = true },\n" : " },\n");
            }
        }
        lua.append("  },\n}\n");
        lua.append("LAYOUTS.").append(layout).append(".places = {}\n");
        lua.append("for _, field in ipairs(LAYOUTS.").append(layout).append(".fields) do LAYOUTS.");
        lua.append(layout).append(".places[field.name] = field end\n");
    }

    private static String flag(Layout layout, String name) {
        return layout.name().toLowerCase(Locale.ROOT) + '_' + word(name);
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT).replace(' ', '_').replace('-', '_');
    }
}
