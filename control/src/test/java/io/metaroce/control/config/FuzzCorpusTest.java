// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FuzzCorpusTest {
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz", "config");

    @Test
    void replaysTheCorpusOfConfigurations() throws IOException {
        int inputs = 0;
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                ConfigFuzzTarget.fuzzerTestOneInput(Files.readAllBytes(file));
                inputs++;
            }
        }
        assertThat(inputs).isGreaterThan(10);
    }
}
