// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FuzzCorpusTest {
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz", "control");

    @Test
    void replaysTheCorpusOfControlChannels() throws IOException {
        int inputs = 0;
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                ControlCodecFuzzTarget.fuzzerTestOneInput(Files.readAllBytes(file));
                inputs++;
            }
        }
        assertThat(inputs).isGreaterThan(20);
    }

    @Test
    void replaysEveryExampleInOneChannel() {
        var all = new ByteArrayOutputStream();
        Messages.ALL.forEach(message -> all.writeBytes(ControlCodec.encode(message)));

        ControlCodecFuzzTarget.fuzzerTestOneInput(all.toByteArray());
    }
}
