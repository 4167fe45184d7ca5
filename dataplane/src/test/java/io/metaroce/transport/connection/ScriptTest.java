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

    @TestFactory
    List<DynamicTest> everyScriptGoesAsWritten() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            List<DynamicTest> tests = files.sorted()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> run(file)))
                    .toList();
            assertThat(tests).isNotEmpty();
            return tests;
        }
    }

    private static void run(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        ScriptedConnection connection = new ScriptedConnection(paths(lines));
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (line.isEmpty() || line.startsWith("paths ")) {
                continue;
            }
            try {
                connection.obey(line);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(file.getFileName() + ":" + (i + 1) + ": " + line + ": " + e.getMessage(), e);
            }
        }
    }

    private static int paths(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("paths "))
                .map(line -> Integer.parseInt(line.substring(6).strip()))
                .findFirst()
                .orElse(1);
    }
}
