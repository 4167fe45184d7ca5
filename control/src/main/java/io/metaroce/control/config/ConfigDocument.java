// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** Texts made from the table: the documented file, the JSON schema, the dump of effective values. */
public final class ConfigDocument {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String PORTS_SECTION = "ports[]";

    private ConfigDocument() {}

    /** The documented configuration file: every option at its default, with what it does and what is allowed. */
    public static String template() {
        StringBuilder text = new StringBuilder("""
                # Configuration of the MetaRoCE daemon. Every option stands here at its default; remove what you do not change.
                #
                # Precedence, weakest first: default, this file, environment METAROCE_<KEY> (METAROCE_TRANSPORT_RTO_FLOOR=1ms),
                # flag --set key=value (--set transport.rto_floor=1ms; ports are ports[0], ports[1], ...).
                # Unknown keys are errors. Check a file: metaroce config check FILE. Effective values: metaroce config dump FILE.
                # Sizes: B KiB MiB GiB. Times: ns us ms s min. Rates: bit Kbit Mbit Gbit (per second).
                # [live]: taken over by a reload (HUP); [restart]: needs a restart.
                """);
        String section = "";
        for (Option option : Option.values()) {
            String key = option.key();
            int dot = key.indexOf('.');
            String itsSection = dot < 0 ? "" : key.substring(0, dot);
            boolean first = !itsSection.equals(section);
            if (first || itsSection.isEmpty()) {
                text.append('\n');
            }
            if (first && !itsSection.isEmpty()) {
                text.append(itsSection.replace("[]", "")).append(":\n");
            }
            section = itsSection;
            appendOption(text, option, itsSection, first);
        }
        return text.toString();
    }

    private static void appendOption(StringBuilder text, Option option, String section, boolean first) {
        String indent = section.isEmpty() ? "" : section.equals(PORTS_SECTION) ? "    " : "  ";
        String lead = section.equals(PORTS_SECTION) && first ? "  - " : indent;
        String name = option.key().substring(section.isEmpty() ? 0 : section.length() + 1);
        String value = option == Option.PORT_NAME ? "port0" : option.defaultText();
        for (String line : option.reason().split("\n", -1)) {
            text.append(indent).append("# ").append(line).append('\n');
        }
        String change = option.change().name().toLowerCase(Locale.ROOT);
        text.append(indent)
                .append("# Allowed: ")
                .append(option.type().allowed())
                .append(". [");
        text.append(change).append("]\n");
        if (option == Option.PORT_OPTIONS) {
            text.append(lead).append("options: {}\n");
        } else {
            text.append(lead).append(name).append(": ").append(scalar(value)).append('\n');
        }
    }

    /** A value as a YAML scalar. */
    private static String scalar(String value) {
        boolean plain = value.matches("[A-Za-z0-9][A-Za-z0-9._/-]*");
        return plain ? value : "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** JSON schema (draft 2020-12) of the file, for editors. */
    public static ObjectNode schema() {
        ObjectNode schema = section();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "MetaRoCE daemon configuration");
        for (Option option : Option.values()) {
            ObjectNode parent = schema;
            String[] words = option.key().split("\\.", -1);
            for (int i = 0; i < words.length - 1; i++) {
                parent = child(parent, words[i]);
            }
            String last = words[words.length - 1];
            if (last.equals("*")) {
                parent.set("additionalProperties", schemaOf(option));
            } else {
                parent.withObjectProperty("properties").set(last, schemaOf(option));
            }
        }
        return schema;
    }

    private static ObjectNode section() {
        ObjectNode section = JSON.objectNode();
        section.put("type", "object");
        section.put("additionalProperties", false);
        section.putObject("properties");
        return section;
    }

    private static ObjectNode child(ObjectNode parent, String word) {
        ObjectNode properties = parent.withObjectProperty("properties");
        boolean isList = word.endsWith("[]");
        String name = word.replace("[]", "");
        if (!properties.has(name)) {
            ObjectNode section = section();
            if (isList) {
                ObjectNode list = properties.putObject(name);
                list.put("type", "array").put("minItems", 1).put("maxItems", Option.PORTS_MAX);
                list.set("items", section);
            } else {
                properties.set(name, section);
            }
        }
        ObjectNode node = properties.withObjectProperty(name);
        return isList ? node.withObjectProperty("items") : node;
    }

    private static ObjectNode schemaOf(Option option) {
        OptionType type = option.type();
        ObjectNode node = JSON.objectNode();
        switch (type.shape()) {
            case INTEGER ->
                node.put("type", "integer").put("minimum", type.min()).put("maximum", type.max());
            case FLAG -> node.put("type", "boolean");
            case SIZE -> node.putArray("type").add("integer").add("string");
            default -> node.put("type", "string");
        }
        switch (type.shape()) {
            case SIZE -> node.put("pattern", "^[0-9]+(B|KiB|MiB|GiB)?$");
            case TIME -> node.put("pattern", "^(0|[0-9]+(ns|us|ms|s|min))$");
            case RATE -> node.put("pattern", "^[0-9]+(bit|Kbit|Mbit|Gbit)$");
            case TEXT ->
                type.choices().forEach(choice -> node.withArrayProperty("enum").add(choice));
            default -> {}
        }
        String reason = option.reason().replace('\n', ' ');
        node.put("description", reason + " Allowed: " + type.allowed() + ".");
        if (option != Option.PORT_NAME && option != Option.PORT_OPTIONS) {
            node.set("default", defaultOf(option));
        }
        return node;
    }

    private static JsonNode defaultOf(Option option) {
        return switch (option.type().shape()) {
            case INTEGER -> JSON.numberNode(Long.parseLong(option.defaultText()));
            case FLAG -> JSON.booleanNode(Boolean.parseBoolean(option.defaultText()));
            default -> JSON.textNode(option.defaultText());
        };
    }

    /** Effective values with their origins, one per line, in columns. */
    public static String dump(Settings settings) {
        int keyWidth = width(settings.all().stream().map(Setting::key).toList());
        int valueWidth =
                width(settings.all().stream().map(s -> scalar(s.text())).toList());
        StringBuilder text = new StringBuilder();
        for (Setting setting : settings.all()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-" + keyWidth + "s  %-" + valueWidth + "s  # %s%n",
                    setting.key(),
                    scalar(setting.text()),
                    setting.origin()));
        }
        return text.toString();
    }

    private static int width(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(1);
    }

    /** Effective values as JSON: key to value, unit-free number where it has one, origin, whether a reload takes it. */
    public static ObjectNode dumpJson(Settings settings) {
        ObjectNode all = JSON.objectNode();
        for (Setting setting : settings.all()) {
            ObjectNode node = all.putObject(setting.key());
            node.put("value", setting.text());
            if (setting.value() instanceof Long number) {
                node.put("number", number);
                node.put("unit", unit(setting.option().type().shape()));
            }
            node.put("origin", setting.origin().kind().name().toLowerCase(Locale.ROOT));
            if (!setting.origin().where().isEmpty()) {
                node.put("where", setting.origin().where());
            }
            node.put("change", setting.option().change().name().toLowerCase(Locale.ROOT));
        }
        return all;
    }

    private static String unit(OptionType.Shape shape) {
        return switch (shape) {
            case SIZE -> "bytes";
            case TIME -> "nanoseconds";
            case RATE -> "bits_per_second";
            default -> "count";
        };
    }
}
