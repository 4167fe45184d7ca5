// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The checkout: its specification, and the files that may cite it. */
final class SourceTree {
    private static final Pattern RULE = Pattern.compile("\\*\\*(MOP-[A-Z]+-\\d+)\\*\\* \\((MUST|SHOULD|MAY)\\) (.*)");
    private static final Pattern ID = Pattern.compile("MOP-[A-Z]+-\\d+");
    /** An id, and the numbers that follow it as in "MOP-RCV-10, 11, 12:". */
    private static final Pattern CITATION =
            Pattern.compile("MOP-([A-Z]+)-(\\d+)((?:(?:, | and )\\d+(?=[,:.;)]| and|$))*)");

    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern EXCEPTION = Pattern.compile("\\| *(MOP-[^|]*)\\|([^|]+)\\|([^|]+)\\|");
    private static final List<String> MODULES =
            List.of("dataplane", "dpdk-glue", "control", "test-harness", "config", "deploy");
    private static final List<String> SUFFIXES =
            List.of(".java", ".c", ".h", ".yaml", ".lua", ".sh", ".script", ".case");
    /** Upwards from where a person may stand in a checkout. */
    private static final int PARENTS_MAX = 8;

    private final Path root;

    SourceTree(Path root) {
        this.root = root;
    }

    /** The checkout that holds a directory; null if none does. */
    static @Nullable SourceTree around(Path directory) {
        Path candidate = directory.toAbsolutePath().normalize();
        for (int i = 0; i < PARENTS_MAX && candidate != null; i++) {
            if (Files.isDirectory(candidate.resolve("docs").resolve("spec"))) {
                return new SourceTree(candidate);
            }
            candidate = candidate.getParent();
        }
        return null;
    }

    Path specification() {
        return root.resolve("docs").resolve("spec");
    }

    /** The chapters, in order. */
    List<Path> chapters() throws IOException {
        try (Stream<Path> files = Files.list(specification())) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file ->
                            Character.isDigit(file.getFileName().toString().charAt(0)))
                    .sorted()
                    .toList();
        }
    }

    /** Every rule, in the order of the chapters. */
    List<Rule> rules() throws IOException {
        List<Rule> rules = new ArrayList<>();
        for (Path chapter : chapters()) {
            int number = 0;
            for (String line : Files.readAllLines(chapter)) {
                number++;
                Matcher rule = RULE.matcher(line);
                if (rule.matches()) {
                    rules.add(new Rule(
                            rule.group(1),
                            rule.group(2),
                            rule.group(3),
                            chapter.getFileName().toString(),
                            number));
                }
            }
        }
        return rules;
    }

    /** The reasons of the exceptions, by rule; a row without a reason excepts nothing. */
    Map<String, String> exceptions() throws IOException {
        Map<String, String> reasons = new TreeMap<>();
        for (String line : Files.readAllLines(specification().resolve("exceptions.md"))) {
            Matcher row = EXCEPTION.matcher(line);
            if (row.matches() && !row.group(2).isBlank() && !row.group(3).isBlank()) {
                Matcher id = ID.matcher(row.group(1));
                while (id.find()) {
                    reasons.put(id.group(), row.group(2).strip());
                }
            }
        }
        return reasons;
    }

    /** Who names which rule, by kind and rule. */
    Map<CitationKind, Map<String, List<Citation>>> citations() throws IOException {
        Map<CitationKind, Map<String, List<Citation>>> found = new EnumMap<>(CitationKind.class);
        for (CitationKind kind : CitationKind.values()) {
            found.put(kind, new TreeMap<>());
        }
        for (String module : MODULES) {
            if (!Files.isDirectory(root.resolve(module))) {
                continue;
            }
            for (Path file : sources(root.resolve(module))) {
                Path relative = root.relativize(file);
                CitationKind kind = CitationKind.of(relative);
                Map<String, List<Citation>> ofKind = kind == null ? null : found.get(kind);
                if (ofKind != null) {
                    cite(file, relative.toString().replace('\\', '/'), ofKind);
                }
            }
        }
        return found;
    }

    private static List<Path> sources(Path module) throws IOException {
        try (Stream<Path> files = Files.walk(module)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> SUFFIXES.stream().anyMatch(file.toString()::endsWith))
                    .filter(file -> !file.toString().contains("/target/"))
                    // Their examples look like citations.
                    .filter(file -> !file.endsWith("SpecificationTest.java") && !file.endsWith("CoverageTest.java"))
                    .sorted()
                    .toList();
        }
    }

    private static void cite(Path file, String name, Map<String, List<Citation>> into) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (MalformedInputException e) {
            return;
        }
        for (int i = 0; i < lines.size(); i++) {
            Matcher citation = CITATION.matcher(lines.get(i));
            while (citation.find()) {
                Matcher number = NUMBER.matcher(citation.group(2) + citation.group(3));
                while (number.find()) {
                    into.computeIfAbsent("MOP-" + citation.group(1) + '-' + number.group(), any -> new ArrayList<>())
                            .add(new Citation(name, i + 1));
                }
            }
        }
    }
}
