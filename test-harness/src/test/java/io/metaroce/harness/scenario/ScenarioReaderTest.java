// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioReaderTest {
    private static final String HEAD = "scenario: x\nabout: y\nseeds: [1]\n";

    @ParameterizedTest
    @MethodSource("names")
    void everyReadyMadeScenarioCanBeReadAndHasChecks(String name) {
        Scenario scenario = ScenarioReader.find(name);

        assertThat(scenario.name()).isEqualTo(name);
        assertThat(scenario.checks()).isNotEmpty();
    }

    @Test
    void theIndexNamesEveryFileAndNoOther() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("scenarios"))) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(file -> file.endsWith(".yaml"))
                            .map(file -> file.replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(ScenarioReader.names());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set: {hots: 3}                    | nothing is called hots",
                "set: {hosts: 1}                   | hosts is 2 to 65536, not 1",
                "set: {hosts: many}                | hosts is a number, not many",
                "set: {spray: maybe}               | spray is one of on, off, not maybe",
                "set: {hosts: 2, hosts: 3}         | Duplicate field 'hosts'",
                "cells: {a: {loss: 2}}             | cells.a: loss is 0 to 1, not 2",
                "cel: {}                           | cel is not known",
                "checks: [{name: a, metric: b}]    | a needs at-least or at-most",
                "checks: [{name: a, metric: b, cell: c, at-least: 1}] | no cell is called c",
            })
    void whatCannotBeIsNamed(String line, String problem) {
        assertThatThrownBy(() -> ScenarioReader.read("f.yaml", HEAD + line))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith("f.yaml: ")
                .hasMessageContaining(problem);
    }

    static Stream<String> names() {
        return ScenarioReader.names().stream();
    }
}
