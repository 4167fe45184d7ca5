// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioRunTest {
    private static final String SMALL = """
            scenario: small
            about: a few messages, some of them lost
            seeds: [1, 2, 3]
            set: {hosts: 2, message-bytes: 100000, messages: 4, depth: 2, loss: 0.02, ack-loss: 0.02}
            cells:
              lossy: {}
              clean: {loss: 0, ack-loss: 0}
            checks:
              - {name: kept, metric: goodput, cell: lossy, over: clean, at-least: 0.1}
              - {name: never, metric: goodput, cell: clean, at-least: 1}
            """;

    @Test
    void theResultDependsOnTheSeedsAndNotOnTheWorkers() throws InterruptedException {
        ScenarioRun.Outcome one = run(SMALL, 1);
        ScenarioRun.Outcome three = run(SMALL, 3);

        assertThat(digests(one)).isEqualTo(digests(three));
        // The lossy cells come first; where nothing is lost, seeds have nothing to decide.
        assertThat(digests(one).subList(0, 3)).doesNotHaveDuplicates();
        assertThat(one.results())
                .allSatisfy(result -> assertThat(result.measures()).containsEntry("done", 1.0));
    }

    @Test
    void aBarThatIsMissedFailsTheScenario() throws InterruptedException {
        ScenarioRun.Outcome outcome = run(SMALL, 2);

        assertThat(outcome.passes()).isFalse();
        assertThat(outcome.verdicts()).extracting(ScenarioRun.Verdict::isOk).containsExactly(true, false);
        assertThat(OutcomeText.json(outcome, false))
                .startsWith("{\"scenario\":\"small\",\"seeds\":[1,2,3],\"pass\":false,\"checks\":[{\"name\":\"kept\"");
    }

    @Test
    void everyWorkloadOnEveryTopologyEnds() throws InterruptedException {
        for (String topology : List.of("single-switch", "leaf-spine", "fat-tree", "rails", "two-sites")) {
            for (String workload : List.of(
                    "pair",
                    "permutation",
                    "incast",
                    "outcast",
                    "all-to-all",
                    "ring-all-reduce",
                    "halving-doubling",
                    "storage")) {
                ScenarioRun.Outcome outcome = run(
                        "scenario: s\nabout: a\nseeds: [1]\nset: {topology: " + topology + ", workload: " + workload
                                + ", hosts: 16, hosts-per-leaf: 4, spines: 2, message-bytes: 40000, paths: 2}",
                        1);

                assertThat(outcome.results().get(0).measures())
                        .as(topology + " " + workload)
                        .containsEntry("done", 1.0);
                assertThat(outcome.passes()).isTrue();
            }
        }
    }

    /** A probe that overtook the data before it would declare that data lost. */
    @Test
    void whereAcknowledgementsOvertakeDataNothingIsSentInVain() throws InterruptedException {
        ScenarioRun.Outcome outcome = run(
                "scenario: s\nabout: a\nseeds: [1, 2]\nset: {topology: leaf-spine, hosts: 16, hosts-per-leaf: 4, spines: 2,"
                        + " ack-priority: on, workload: permutation, message-bytes: 400000, incast-degree: 1}",
                1);

        assertThat(outcome.results()).allSatisfy(result -> {
            assertThat(result.measures()).containsEntry("drops", 0.0).containsEntry("retransmissions", 0.0);
            assertThat(result.measures().get("queue_bytes_max")).isPositive();
        });
    }

    @Test
    void fairnessIsJainsIndex() {
        assertThat(Measures.jain(new double[] {1, 1, 1, 1})).isEqualTo(1);
        assertThat(Measures.jain(new double[] {1, 0, 0, 0})).isEqualTo(0.25);
        assertThat(Measures.jain(new double[] {2, 1})).isCloseTo(0.9, within(1e-9));
    }

    private static ScenarioRun.Outcome run(String text, int workers) throws InterruptedException {
        return ScenarioRun.run(ScenarioReader.read("test.yaml", text), workers, (result, done, all) -> {});
    }

    private static List<Long> digests(ScenarioRun.Outcome outcome) {
        return outcome.results().stream().map(CellResult::digest).toList();
    }
}
