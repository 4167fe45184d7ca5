// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The published files say what the table says. */
class OptionTest {
    private static final Path CONFIG = Path.of("..", "config");

    @Test
    void documentsEveryOptionInThePublishedFile() throws IOException {
        assertThat(Files.readString(CONFIG.resolve("metaroced.yaml")))
                .as("made by: metaroce config template > config/metaroced.yaml")
                .isEqualTo(ConfigDocument.template());
    }

    @Test
    void publishesTheSchemaOfTheTable() throws IOException {
        JsonNode published = new ObjectMapper()
                .readTree(CONFIG.resolve("schema/metaroced.schema.json").toFile());

        assertThat(published)
                .as("made by: metaroce config schema > config/schema/metaroced.schema.json")
                .isEqualTo(new ObjectMapper().readTree(ConfigDocument.schema().toString()));
    }

    @Test
    void readsThePublishedFileAsTheDefaults() throws Exception {
        LoadedConfig loaded = ConfigLoader.load(CONFIG.resolve("metaroced.yaml"), Map.of(), List.of());

        assertThat(loaded.config()).isEqualTo(DaemonConfig.defaults());
        assertThat(loaded.warnings()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void acceptsEveryProfile(Path profile) throws Exception {
        assertThat(ConfigLoader.load(profile, Map.of(), List.of()).config()).isNotNull();
    }

    static List<Path> profiles() {
        try (Stream<Path> files = Files.list(CONFIG.resolve("profiles"))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void givesEveryOptionItsOwnVariable() {
        Set<String> variables = new HashSet<>();
        for (Option option : Option.values()) {
            String key = option.isOfPort() ? option.keyOfPort(0) : option.key();

            assertThat(variables.add(Option.variableOf(key))).as(key).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Option.class)
    void writesADefaultAsItReadsIt(Option option) {
        if (option != Option.PORT_NAME) {
            Object value = option.type().read(option.defaultText());

            assertThat(option.type().read(option.type().write(value))).isEqualTo(value);
            assertThat(option.type().allowed()).isNotBlank();
        }
    }

    @Test
    void dumpsEveryValueWithItsOrigin() throws Exception {
        Settings settings = ConfigLoader.loadText(
                        "f.yaml", "lanes: {count: 1}\n", Map.of(), List.of("node.name=n1", "ports[0].options.gso=off"))
                .settings();

        assertThat(ConfigDocument.dump(settings).getBytes(StandardCharsets.UTF_8))
                .isNotEmpty();
        assertThat(ConfigDocument.dump(settings).lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "lanes.count 1 # f.yaml:1",
                        "node.name n1 # --set node.name=n1",
                        "ports[0].options.gso off # --set ports[0].options.gso=off",
                        "transport.rto_floor 20ms # default");
        JsonNode json = ConfigDocument.dumpJson(settings).get("transport.rto_floor");
        assertThat(json.toString())
                .isEqualTo("{\"value\":\"20ms\",\"number\":20000000,\"unit\":\"nanoseconds\",\"origin\":\"default\","
                        + "\"change\":\"restart\"}");
    }
}
