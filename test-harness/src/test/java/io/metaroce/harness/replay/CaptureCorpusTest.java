// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.transport.connection.BrokenRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CaptureCorpusTest {
    private static final Path CORPUS = Path.of("src", "test", "resources", "captures");

    static List<Scenario> scenarios() {
        return Scenario.ALL;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyReplayedAndRecordedAcknowledgementSaysWhatArrived(Scenario scenario) throws IOException {
        CaptureReplay replay = replay(scenario, BrokenRule.NONE);

        assertThat(replay.model().violations()).isEmpty();
        assertThat(replay.acknowledgements()).isGreaterThan(50);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void theCoreCountsAndPlacesWhatTheExpectationSays(Scenario scenario) throws IOException {
        CaptureReplay replay = replay(scenario, BrokenRule.NONE);
        SortedMap<String, Long> expected = expectation(scenario);

        assertThat(judge(replay, expected)).isEmpty();
        SortedMap<String, Long> facts = replay.model().facts();
        facts.put("regionChecksum", checksum(replay.model().region()));
        facts.put("lostByTheWire", expected.getOrDefault("lostByTheWire", -1L));
        assertThat(facts).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void receivesCompleteOnceInOrderWithLengthAndImmediate(Scenario scenario) throws IOException {
        List<Endpoint.Completion> expected = new ArrayList<>();
        for (Plan.Message message : new Plan(scenario.seed()).messages()) {
            boolean hasImmediate = message.opcode() == WorkRequestOpcode.RDMA_WRITE_WITH_IMM
                    || message.opcode() == WorkRequestOpcode.SEND_WITH_IMM;
            if (message.receive() >= 0) {
                expected.add(new Endpoint.Completion(
                        message.stream(),
                        true,
                        CompletionStatus.SUCCESS,
                        message.length(),
                        hasImmediate ? message.immediate() : -1));
            }
        }

        List<Endpoint.Completion> completed =
                replay(scenario, BrokenRule.NONE).receiver().completions();

        for (int stream = 0; stream < Plan.STREAMS; stream++) {
            int number = stream;
            assertThat(completed.stream().filter(completion -> completion.stream() == number))
                    .containsExactlyElementsOf(expected.stream()
                            .filter(completion -> completion.stream() == number)
                            .toList());
        }
    }

    @Test
    void theCorpusShowsWhatItsNamesSay() throws IOException {
        assertThat(expectation(named("clean")))
                .doesNotContainKey("pathDuplicates")
                .containsEntry("lostByTheWire", 0L);
        assertThat(expectation(named("clean")))
                .containsEntry("retransmitted", 0L)
                .containsEntry("outOfOrder", 0L);
        assertThat(expectation(named("loss-1-percent")).get("retransmitted")).isGreaterThanOrEqualTo(3);
        assertThat(expectation(named("path-killed")).get("lostByTheWire")).isGreaterThan(5);
        assertThat(expectation(named("path-killed")).get("path.1.epoch")).isPositive();
        assertThat(expectation(named("reordering-and-duplicates")).get("pathDuplicates"))
                .isGreaterThan(5);
        assertThat(expectation(named("reordering-and-duplicates")).get("outOfOrder"))
                .isGreaterThan(5);
        assertThat(expectation(named("ipv6-vlan-marked")).get("marked")).isGreaterThan(5);
    }

    @Test
    void aReceiverThatPlacesDuplicatesIsCaught() throws IOException {
        Scenario scenario = named("reordering-and-duplicates");

        CaptureReplay replay = replay(scenario, BrokenRule.DEDUPE);

        assertThat(judge(replay, expectation(scenario))).isNotEmpty();
    }

    @Test
    void theGeneratorMakesTheSameBytesFromTheSameSeed() throws IOException {
        Scenario scenario = named("reordering-and-duplicates");

        assertThat(CorpusGenerator.generate(scenario).capture())
                .isEqualTo(CorpusGenerator.generate(scenario).capture());
    }

    /** Writes the corpus anew; what changed must be explained in the commit. See README.md beside the captures. */
    @Test
    @EnabledIfSystemProperty(named = "metaroce.captures.write", matches = "true")
    void writesTheCorpus() throws IOException {
        for (Scenario scenario : Scenario.ALL) {
            Corpus corpus = CorpusGenerator.generate(scenario);
            CaptureReplay replay = new CaptureReplay(scenario, BrokenRule.NONE).run(corpus.capture());
            SortedMap<String, Long> facts = replay.model().facts();
            facts.put("regionChecksum", checksum(new Plan(scenario.seed()).region()));
            facts.put("lostByTheWire", (long) corpus.lostPackets());
            StringBuilder text = new StringBuilder("# SPDX-License-Identifier: Apache-2.0\n# " + scenario + "\n");
            facts.forEach(
                    (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
            Files.write(CORPUS.resolve(scenario.name() + ".pcapng"), corpus.capture());
            Files.writeString(CORPUS.resolve(scenario.name() + ".expect"), text);
        }
    }

    /** What the core did otherwise than expected. */
    private static List<String> judge(CaptureReplay replay, Map<String, Long> expected) {
        List<String> problems = new ArrayList<>();
        Endpoint core = replay.receiver();
        Map<ConnectionCounter, String> pairs = Map.of(
                ConnectionCounter.RX_PACKETS, "inbound",
                ConnectionCounter.RX_PATH_DUPLICATES, "pathDuplicates",
                ConnectionCounter.RX_DUPLICATES, "contentDuplicates",
                ConnectionCounter.RX_OUT_OF_ORDER, "outOfOrder",
                ConnectionCounter.RX_CE_MARKED, "marked",
                ConnectionCounter.RX_OLD_EPOCH, "oldEpoch",
                ConnectionCounter.RX_PAYLOAD_BYTES, "payloadBytes",
                ConnectionCounter.RX_PROBES, "probes");
        pairs.forEach((counter, fact) -> {
            long counted = core.counted(counter);
            if (counted != expected.getOrDefault(fact, 0L)) {
                problems.add(counter + " is " + counted + ", " + fact + " is " + expected.get(fact));
            }
        });
        for (ConnectionCounter counter : ConnectionCounter.values()) {
            boolean isTrouble = counter.name().startsWith("RX_DROPPED")
                    || counter.name().startsWith("ACCESS_FAULTS")
                    || counter == ConnectionCounter.ERRORS_ISSUED
                    || counter == ConnectionCounter.STREAMS_FAILED;
            if (isTrouble && core.counted(counter) != 0) {
                problems.add(counter + " is " + core.counted(counter));
            }
        }
        byte[] region = new byte[Plan.REGION_BYTES];
        core.region().getBytes(0, region);
        if (checksum(region) != expected.getOrDefault("regionChecksum", -1L)) {
            problems.add("the memory differs");
        }
        return problems;
    }

    private static CaptureReplay replay(Scenario scenario, BrokenRule broken) throws IOException {
        return new CaptureReplay(scenario, broken).run(Files.readAllBytes(CORPUS.resolve(scenario.name() + ".pcapng")));
    }

    private static SortedMap<String, Long> expectation(Scenario scenario) throws IOException {
        SortedMap<String, Long> facts = new TreeMap<>();
        for (String line : Files.readAllLines(CORPUS.resolve(scenario.name() + ".expect"), StandardCharsets.UTF_8)) {
            int at = line.indexOf('=');
            if (!line.startsWith("#") && at > 0) {
                facts.put(
                        line.substring(0, at).strip(),
                        Long.parseLong(line.substring(at + 1).strip()));
            }
        }
        return facts;
    }

    private static Scenario named(String name) {
        return Scenario.ALL.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }
}
