// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads scenarios strictly: what is unknown, given twice or out of range is an error that names file and key. */
public final class ScenarioReader {
    private static final Set<String> TOP = Set.of("scenario", "about", "seeds", "set", "cells", "checks");
    private static final Set<String> CHECK =
            Set.of("name", "metric", "cell", "cells", "over", "seeds", "at-least", "at-most");
    private static final int FILE_BYTES_MAX = 1 << 20;
    private static final int SEEDS_MAX = 10_000;
    private static final String DIRECTORY = "/scenarios/";

    private ScenarioReader() {}

    /** Names of the ready-made scenarios. */
    public static List<String> names() {
        return resource("index.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** A ready-made scenario by name, or the file of that name. */
    public static Scenario find(String nameOrFile) {
        if (names().contains(nameOrFile)) {
            return read(nameOrFile + ".yaml", resource(nameOrFile + ".yaml"));
        }
        Path path = Path.of(nameOrFile);
        try {
            if (Files.size(path) > FILE_BYTES_MAX) {
                throw new ScenarioException(nameOrFile + " is longer than " + FILE_BYTES_MAX + " bytes");
            }
            return read(nameOrFile, Files.readString(path));
        } catch (IOException e) {
            throw new ScenarioException("no scenario and no file is called " + nameOrFile + "; see metaroce sim list");
        }
    }

    /** Reads a text. */
    static Scenario read(String file, String text) {
        ObjectMapper mapper = YAMLMapper.builder(YAMLFactory.builder()
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .build();
        try {
            return scenario(mapper.readTree(text));
        } catch (JsonProcessingException e) {
            throw new ScenarioException(file + ": "
                    + String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse(""));
        } catch (ScenarioException e) {
            throw new ScenarioException(file + ": " + e.getMessage());
        }
    }

    private static Scenario scenario(JsonNode root) {
        onlyKnown("", root, TOP);
        Settings base = Settings.standard().with(map("set", root.get("set")));
        Map<String, Settings> cells = new LinkedHashMap<>();
        JsonNode cellNodes = root.path("cells");
        cellNodes.properties().forEach(entry -> {
            try {
                cells.put(entry.getKey(), base.with(map(entry.getKey(), entry.getValue())));
            } catch (ScenarioException e) {
                throw new ScenarioException("cells." + entry.getKey() + ": " + e.getMessage());
            }
        });
        if (cells.isEmpty()) {
            cells.put("only", base);
        }
        List<Scenario.Check> checks = new ArrayList<>();
        root.path("checks").forEach(node -> checks.add(check(node, cells.keySet())));
        return new Scenario(text(root, "scenario"), text(root, "about"), seeds(root.path("seeds")), cells, checks);
    }

    private static List<Long> seeds(JsonNode node) {
        List<Long> seeds = new ArrayList<>();
        node.forEach(seed -> {
            if (!seed.canConvertToLong() || !seed.isIntegralNumber()) {
                throw new ScenarioException("seeds are whole numbers");
            }
            seeds.add(seed.longValue());
        });
        if (seeds.isEmpty() || seeds.size() > SEEDS_MAX) {
            throw new ScenarioException("seeds: 1 to " + SEEDS_MAX + " are needed");
        }
        return seeds;
    }

    private static Scenario.Check check(JsonNode node, Set<String> cells) {
        onlyKnown("checks", node, CHECK);
        List<String> named = new ArrayList<>();
        if (node.has("cells")) {
            node.get("cells").forEach(one -> named.add(one.asText()));
        } else if (node.has("cell")) {
            named.add(node.get("cell").asText());
        } else {
            named.addAll(cells);
        }
        @Nullable String over = node.has("over") ? node.get("over").asText() : null;
        List<String> all = new ArrayList<>(named);
        if (over != null) {
            all.add(over);
        }
        for (String cell : all) {
            if (!cells.contains(cell)) {
                throw new ScenarioException("checks: no cell is called " + cell);
            }
        }
        boolean atLeast = node.has("at-least");
        if (atLeast == node.has("at-most")) {
            throw new ScenarioException("checks: " + text(node, "name") + " needs at-least or at-most");
        }
        Scenario.Over seeds = node.has("seeds") ? over(node.get("seeds").asText()) : Scenario.Over.MEAN;
        double bar = node.get(atLeast ? "at-least" : "at-most").asDouble(Double.NaN);
        if (Double.isNaN(bar)) {
            throw new ScenarioException("checks: the bar of " + text(node, "name") + " is a number");
        }
        return new Scenario.Check(text(node, "name"), text(node, "metric"), named, over, seeds, atLeast, bar);
    }

    private static Scenario.Over over(String word) {
        for (Scenario.Over one : Scenario.Over.values()) {
            if (one.name().toLowerCase(Locale.ROOT).equals(word)) {
                return one;
            }
        }
        throw new ScenarioException("checks: seeds is mean, least, most or sum, not " + word);
    }

    private static Map<String, String> map(String where, @Nullable JsonNode node) {
        Map<String, String> values = new LinkedHashMap<>();
        if (node == null || node.isNull()) {
            return values;
        }
        if (!node.isObject()) {
            throw new ScenarioException(where + " must be a mapping");
        }
        node.properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            if (!value.isValueNode()) {
                throw new ScenarioException(where + "." + entry.getKey() + " must be one value");
            }
            values.put(entry.getKey(), value.isBoolean() ? value.booleanValue() ? "on" : "off" : value.asText());
        });
        return values;
    }

    private static void onlyKnown(String where, JsonNode node, Set<String> known) {
        if (!node.isObject()) {
            throw new ScenarioException(where + " must be a mapping");
        }
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw new ScenarioException(where + (where.isEmpty() ? "" : ".") + name + " is not known");
            }
        });
    }

    private static String text(JsonNode node, String key) {
        if (!node.path(key).isTextual()) {
            throw new ScenarioException(key + " must be given as text");
        }
        return node.get(key).asText().strip();
    }

    private static String resource(String name) {
        try (@Nullable InputStream in = ScenarioReader.class.getResourceAsStream(DIRECTORY + name)) {
            if (in == null) {
                throw new ScenarioException("the ready-made scenarios lack " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + name + ": " + e.getMessage());
        }
    }
}
