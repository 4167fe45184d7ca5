// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LinkParserRobustnessTest {
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz", "link");

    @Test
    void theFuzzCorpusIsReplayed() throws IOException {
        List<byte[]> corpus = corpus();

        assertThat(corpus).hasSizeGreaterThan(60);
        corpus.forEach(LinkParserFuzzTarget::fuzzerTestOneInput);
    }

    @Property(tries = 200)
    void noMutationOfAFrameIsAnException(@ForAll long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (byte[] input : corpus()) {
            byte[] mutated = input.clone();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                int at = random.nextInt(mutated.length);
                mutated[at] = (byte) (random.nextBoolean() ? random.nextInt() : mutated[at] ^ 1 << random.nextInt(8));
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(mutated.length) : mutated.length;
            LinkParserFuzzTarget.fuzzerTestOneInput(java.util.Arrays.copyOf(mutated, length));
        }
    }

    @Property(tries = 2000)
    void noBytesAtAllAreAnException(@ForAll byte[] bytes) {
        LinkParserFuzzTarget.fuzzerTestOneInput(bytes);
    }

    private static List<byte[]> corpus() throws IOException {
        List<byte[]> corpus = new ArrayList<>();
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
        }
        return corpus;
    }
}
