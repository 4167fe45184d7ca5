// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a file looks, and that nothing lies around. Every finding is one line: file, line, what is wrong. */
class TidyTest {
    private static final int FILE_LINES_MAX = 400;
    private static final int METHOD_LINES_MAX = 50;
    private static final int FILE_BYTES_MAX = 256 * 1024;
    private static final int REASON_LENGTH_MIN = 12;

    private static final Set<String> TOP_LEVEL = Set.of(
            ".ci",
            ".gitattributes",
            ".github",
            ".gitignore",
            ".mvn",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "LICENSE",
            "NOTICE",
            "README.md",
            "SECURITY.md",
            "config",
            "control",
            "dataplane",
            "deploy",
            "docs",
            "dpdk-glue",
            "metaroce",
            "pom.xml",
            "test-harness");
    private static final Pattern WORK_FILE = Pattern.compile(
            ".*(~|\\.(orig|rej|bak|old|tmp|swp|log|class|iml|hprof|jfr|jsa))|nohup\\.out|\\.DS_Store|core(\\.\\d+)?");
    private static final Pattern TODO = Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b(.*)");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s#]+)(#[^)\\s]*)?\\)");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z0-9.]+);");
    private static final Pattern ROOM_ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| `([a-z.]+)` \\|");

    @Test
    void filesAndMethodsAreShort() {
        assertThat(findings(SourceTree.javaFiles(), TidyTest::tooLong))
                .as("a file of at most %d lines, a method of at most %d", FILE_LINES_MAX, METHOD_LINES_MAX)
                .isEmpty();
    }

    @Test
    void aMethodOfFiftyOneLinesIsTooLong() {
        String source = "class A {\n void a() {\n" + "  ;\n".repeat(METHOD_LINES_MAX - 1) + " }\n void b() {}\n}\n";

        assertThat(JavaShape.of(source).methods())
                .extracting(JavaShape.Method::lines)
                .containsExactly(METHOD_LINES_MAX + 1, 1);
    }

    @Test
    void everySourceFileNamesItsLicence() {
        assertThat(findings(SourceTree.files(), TidyTest::withoutLicence)).isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIsForAndWhatItMustNot() {
        Set<String> described = packagesOf(file -> file.endsWith("package-info.java"));
        Set<String> missing = packagesOf(file -> true);
        missing.removeAll(described);

        assertThat(missing).as("packages without package-info.java").isEmpty();
        assertThat(findings(
                        SourceTree.javaFiles().stream()
                                .filter(file -> file.endsWith("package-info.java")
                                        && file.toString().contains("src/main"))
                                .toList(),
                        text -> Stream.of("@NullMarked", "Threads: ", "May depend on: ", "Must not: ")
                                .filter(word ->
                                        !text.replaceAll("\\s+\\*?\\s*", " ").contains(word))
                                .map(word -> "package-info says nothing about '" + word.strip() + "'")
                                .toList()))
                .isEmpty();
    }

    @Test
    void theReadmeMapsEveryRoomAndNoOther() {
        Set<String> mapped = new TreeSet<>();
        Matcher row = ROOM_ROW.matcher(SourceTree.read(Path.of("README.md")));
        while (row.find()) {
            mapped.add(row.group(1) + " " + row.group(2));
        }
        Set<String> existing = new TreeSet<>();
        for (Path file : SourceTree.javaFiles()) {
            Matcher name = PACKAGE.matcher(SourceTree.read(file));
            if (file.toString().contains("src/main/") && name.find()) {
                existing.add(file.getName(0) + " " + name.group(1).replaceFirst("^io\\.metaroce\\.", ""));
            }
        }

        assertThat(mapped)
                .as("the map in README.md (left) and the packages (right)")
                .isEqualTo(existing);
    }

    @Test
    void whatIsLeftToDoHasAReason() {
        assertThat(findings(SourceTree.files(), TidyTest::unexplainedTodo))
                .as("a TODO says why it is not done yet")
                .isEmpty();
    }

    @Test
    void nothingLiesAround() {
        List<String> strays = new ArrayList<>();
        for (Path file : SourceTree.files()) {
            if (!TOP_LEVEL.contains(file.getName(0).toString())) {
                strays.add(file + " is not part of the layout");
            } else if (WORK_FILE.matcher(file.getFileName().toString()).matches()) {
                strays.add(file + " is a work file");
            } else if (SourceTree.size(file) > FILE_BYTES_MAX) {
                strays.add(file + " has more than " + FILE_BYTES_MAX + " bytes");
            }
        }

        assertThat(strays).isEmpty();
    }

    @Test
    void nothingNamesThePlaceWhereItWasWritten() {
        List<Pattern> forbidden = SourceTree.read(Path.of("config/quality/forbidden.txt"))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Pattern::compile)
                .toList();

        assertThat(forbidden).isNotEmpty();
        assertThat(findings(
                        SourceTree.files().stream()
                                .filter(file -> !file.endsWith("forbidden.txt"))
                                .toList(),
                        text -> lines(
                                text,
                                line -> forbidden.stream()
                                        .filter(pattern -> pattern.matcher(line).find())
                                        .map(pattern -> "matches " + pattern)
                                        .findFirst()
                                        .orElse(""))))
                .isEmpty();
    }

    @Test
    void linesEndCleanly() {
        assertThat(findings(
                        SourceTree.files().stream().filter(TidyTest::isProse).toList(), TidyTest::untidyEnds))
                .isEmpty();
    }

    @Test
    void linksBetweenDocumentsLeadSomewhere() {
        List<String> dead = new ArrayList<>();
        for (Path file : SourceTree.files()) {
            if (SourceTree.hasExtension(file, "md")) {
                Matcher link = LINK.matcher(SourceTree.read(file));
                while (link.find()) {
                    String target = link.group(1);
                    boolean isOutside = target.contains("://") || target.startsWith("mailto:");
                    if (!isOutside
                            && !Files.exists(SourceTree.ROOT.resolve(file).resolveSibling(target))) {
                        dead.add(file + " links to " + target);
                    }
                }
            }
        }

        assertThat(dead).isEmpty();
    }

    @Test
    void wireAndTransportHoldNoLock() {
        assertThat(findings(
                        SourceTree.javaFiles().stream()
                                .filter(file ->
                                        file.toString().matches("dataplane/src/main/.*/(wire|transport|link)/.*"))
                                .toList(),
                        (file, text) -> JavaShape.of(file).synchronizedBlocks().stream()
                                .map(line -> line + ": synchronized block")
                                .toList()))
                .isEmpty();
    }

    @Test
    void aSynchronizedBlockIsSeen() {
        assertThat(JavaShape.of("class A {\n void a() {\n  synchronized (this) { }\n }\n}\n")
                        .synchronizedBlocks())
                .containsExactly(3);
    }

    @Test
    void everyDisabledTestHasAReason() {
        assertThat(findings(
                        SourceTree.javaFiles(),
                        text -> lines(
                                text, line -> line.strip().equals("@" + "Disabled") ? "disabled without reason" : "")))
                .isEmpty();
    }

    private static List<String> tooLong(Path file, String text) {
        List<String> found = new ArrayList<>();
        long lines = text.lines().count();
        if (lines > FILE_LINES_MAX) {
            found.add("has " + lines + " lines");
        }
        for (JavaShape.Method method : JavaShape.of(file).methods()) {
            if (method.lines() > METHOD_LINES_MAX) {
                found.add(method.firstLine() + ": " + method.name() + " has " + method.lines() + " lines");
            }
        }
        return found;
    }

    private static List<String> untidyEnds(String text) {
        List<String> found = new ArrayList<>(lines(text, line -> {
            boolean isBroken = line.endsWith("\r") || line.endsWith("\t") || line.endsWith(" ");
            return isBroken ? "white space at the end of the line" : "";
        }));
        if (!text.isEmpty() && (!text.endsWith("\n") || text.endsWith("\n\n"))) {
            found.add("does not end with exactly one line feed");
        }
        return found;
    }

    private static List<String> unexplainedTodo(String text) {
        return lines(text, line -> {
            Matcher todo = TODO.matcher(line);
            // Spelled in code, as here in the pattern, it is not something left to do.
            boolean isComment = line.strip().matches("^(//|\\*|#|/\\*).*");
            boolean isBare = isComment && todo.find() && todo.group(2).strip().length() < REASON_LENGTH_MIN;
            return isBare ? "to do, without reason" : "";
        });
    }

    private static List<String> withoutLicence(Path file, String text) {
        String head = text.lines().limit(3).collect(Collectors.joining("\n"));
        boolean isSource = SourceTree.hasExtension(file, "java", "sh", "c", "h", "py", "lua") || text.startsWith("#!");
        return isSource && !head.contains("SPDX-License-Identifier: Apache-2.0")
                ? List.of("has no SPDX line")
                : List.of();
    }

    /** Text that people write; in a file of vectors an empty last column ends in a blank. */
    private static boolean isProse(Path file) {
        return isText(file) && !file.toString().contains("/vectors/");
    }

    private static boolean isText(Path file) {
        return SourceTree.hasExtension(
                        file, "java", "xml", "md", "sh", "c", "h", "yaml", "yml", "json", "txt", "lua", "properties")
                || file.endsWith("metaroce")
                || file.startsWith(".ci");
    }

    private static Set<String> packagesOf(Predicate<Path> wanted) {
        Set<String> packages = new TreeSet<>();
        for (Path file : SourceTree.javaFiles()) {
            Matcher name = PACKAGE.matcher(SourceTree.read(file));
            if (wanted.test(file) && name.find()) {
                packages.add(name.group(1));
            }
        }
        return packages;
    }

    private static List<String> findings(List<Path> files, Function<String, List<String>> check) {
        return findings(files, (file, text) -> check.apply(text));
    }

    private static List<String> findings(List<Path> files, BiFunction<Path, String, List<String>> check) {
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            if (isText(file)) {
                check.apply(file, SourceTree.read(file)).forEach(what -> found.add(file + ":" + what));
            }
        }
        return found;
    }

    /** Applies a check to every line; an empty answer is no finding. */
    private static List<String> lines(String text, Function<String, String> check) {
        List<String> found = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            String what = check.apply(line);
            if (!what.isEmpty()) {
                found.add(number + ": " + what);
            }
        }
        return found;
    }
}
