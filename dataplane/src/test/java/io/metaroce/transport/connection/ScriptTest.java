// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs every script of {@code src/test/resources/scripts}; a failure names file and line. */
class ScriptTest {
    private static final Path SCRIPTS = Path.of("src", "test", "resources", "scripts");
    private static final int SCRIPTS_LEAST = 25;

    @TestFactory
    List<DynamicTest> everyScriptGoesAsWritten() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            List<DynamicTest> tests = files.filter(file -> file.toString().endsWith(".script"))
                    .sorted()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> run(file)))
                    .toList();
            assertThat(tests).hasSizeGreaterThanOrEqualTo(SCRIPTS_LEAST);
            return tests;
        }
    }

    private static void run(Path file) throws IOException, ReflectiveOperationException {
        List<String> lines = Files.readAllLines(file).stream()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .toList();
        ScriptedConnection connection = new ScriptedConnection(ScriptSettings.of(lines));
        int blockBegin = 0;
        int roundsLeft = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isEmpty() || ScriptSettings.isSetting(line)) {
                continue;
            }
            if (line.startsWith("repeat ")) {
                blockBegin = i;
                roundsLeft = (int) Words.of(line).number(1);
                continue;
            }
            if (line.equals("until here")) {
                i = --roundsLeft > 0 ? blockBegin : i;
                continue;
            }
            try {
                connection.obey(line);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(file.getFileName() + ":" + (i + 1) + ": " + line + ": " + e.getMessage(), e);
            }
        }
    }
}
