// SPDX-License-Identifier: Apache-2.0
package io.metaroce.check;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.queue.SlotRing;
import io.metaroce.transport.congestion.CongestionSettings;
import io.metaroce.transport.connection.ConnectionSettings;
import io.metaroce.transport.path.PathHealth;
import io.metaroce.transport.recovery.LossEvidence;
import io.metaroce.transport.recovery.SentPackets;
import io.metaroce.transport.stream.CreditRequests;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.MopFlyweight;
import io.metaroce.wire.PacketParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The specification's rules are well formed, and whoever cites one cites one that exists")
class SpecificationTest {
    private static final Path ROOT = Path.of("..");
    private static final Path SPECIFICATION = ROOT.resolve("docs").resolve("spec");
    private static final Pattern RULE =
            Pattern.compile("\\*\\*(MOP-([A-Z]+)-[1-9]\\d*)\\*\\* \\((MUST|SHOULD|MAY)\\) \\S.*[.:]");
    private static final Pattern ID = Pattern.compile("MOP-[A-Z]+-\\d+");
    private static final Pattern LINK = Pattern.compile("]\\(([a-z0-9./-]+)\\)");
    private static final Pattern CONSTANT = Pattern.compile("\\| ([a-z0-9_]+) \\| ([\\d,.]+) \\|.*");
    private static final List<String> SOURCES = List.of(".java", ".c", ".h", ".yaml", ".lua", ".sh");
    private static final Map<String, String> CHAPTER_OF = Map.ofEntries(
            Map.entry("ENC", "02"),
            Map.entry("PKT", "03"),
            Map.entry("SEQ", "04"),
            Map.entry("LOSS", "05"),
            Map.entry("RCV", "06"),
            Map.entry("STR", "07"),
            Map.entry("PATH", "08"),
            Map.entry("CTL", "09"),
            Map.entry("CC", "10"),
            Map.entry("SEC", "12"));

    /** A rule and where it stands. */
    private record Rule(String id, String area, String strength, String file) {}

    @Test
    void everyRuleHasItsOwnLineAStrengthAndAFullSentence() {
        for (Path chapter : chapters()) {
            assertThat(lines(chapter).filter(line -> line.startsWith("**MOP-")))
                    .as("%s", chapter.getFileName())
                    .allMatch(line -> RULE.matcher(line).matches());
        }
    }

    @Test
    void noRuleHasTwoPlacesAndEachStandsInItsChapter() {
        List<Rule> rules = rules();

        assertThat(rules).hasSizeGreaterThan(200);
        assertThat(rules.stream().map(Rule::id)).doesNotHaveDuplicates();
        assertThat(rules).allMatch(rule -> rule.file().startsWith(CHAPTER_OF.getOrDefault(rule.area(), "no chapter")));
    }

    @Test
    void whoeverCitesARuleCitesOneThatExists() {
        Set<String> known = ids();
        Map<String, Set<String>> unknown = new LinkedHashMap<>();
        citations(Stream.concat(sources(), specificationFiles())).forEach((id, files) -> {
            if (!known.contains(id)) {
                unknown.put(id, files);
            }
        });

        assertThat(unknown).isEmpty();
    }

    @Test
    void everyLinkBetweenTheChaptersLeadsSomewhere() {
        for (Path file : specificationFiles().toList()) {
            Matcher link = LINK.matcher(text(file));
            while (link.find()) {
                assertThat(SPECIFICATION.resolve(link.group(1))).as("%s", file).exists();
            }
        }
    }

    @Test
    void theConstantsOfChapter11AreThoseOfTheCode() {
        Map<String, Double> specified = new LinkedHashMap<>();
        lines(SPECIFICATION.resolve("11-constants.md")).forEach(line -> {
            Matcher row = CONSTANT.matcher(line);
            if (row.matches()) {
                specified.put(row.group(1), Double.valueOf(row.group(2).replace(",", "")));
            }
        });

        ConnectionSettings.Limits sockets = ConnectionSettings.Limits.SOCKETS;
        ConnectionSettings.Limits simulated = ConnectionSettings.Limits.SIMULATED;
        assertThat(specified)
                .containsEntry("version", (double) MopFlyweight.VERSION)
                .containsEntry("packet_max", (double) PacketParser.PACKET_MAX)
                .containsEntry("payload_max", (double) PacketParser.PAYLOAD_MAX)
                .containsEntry("message_max", (double) PacketParser.MESSAGE_MAX)
                .containsEntry("credit_entries_max", (double) CreditFlyweight.ENTRIES_MAX)
                .containsEntry("sack_width", (double) AckFlyweight.SACK_BITS)
                .containsEntry("path_window", (double) SentPackets.WINDOW)
                .containsEntry("guard_echoes", (double) LossEvidence.GUARD_ECHOES)
                .containsEntry("guard_clean_losses", (double) LossEvidence.GUARD_CLEAN_LOSSES)
                .containsEntry("suspect_timeouts", (double) PathHealth.SUSPECT_TIMEOUTS)
                .containsEntry("dead_timeouts", (double) PathHealth.DEAD_TIMEOUTS)
                .containsEntry("revival_answers", (double) PathHealth.REVIVAL_ANSWERS)
                .containsEntry("probes_per_entropy", (double) PathHealth.PROBES_PER_ENTROPY)
                .containsEntry("backoff_max", (double) (1 << PathHealth.BACKOFF_SHIFT_MAX))
                .containsEntry("credit_ahead_max", (double) SlotRing.CAPACITY_MAX)
                .containsEntry("credit_request_interval_max", CreditRequests.INTERVAL_MAX_NS / 1e6)
                .containsEntry("rto_floor_sockets", sockets.timeoutFloorNs() / 1e3)
                .containsEntry("rto_floor_simulated", simulated.timeoutFloorNs() / 1e3)
                .containsEntry("connection_timeout", sockets.connectionTimeoutNs() / 1e9)
                .containsEntry("receiver_not_ready_time", sockets.receiverNotReadyTimeoutNs() / 1e9)
                .containsEntry("acknowledge_every", (double) sockets.acknowledgeEveryPackets())
                .containsEntry("hint_period_simulated", CongestionSettings.SIMULATED_HINT_PERIOD_NS / 1e3)
                .containsEntry("hint_period_sockets", CongestionSettings.SOCKETS_HINT_PERIOD_NS / 1e3)
                .containsEntry("first_window", (double) sockets.initialWindowBytes());
    }

    private static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        for (Path chapter : chapters()) {
            lines(chapter).forEach(line -> {
                Matcher rule = RULE.matcher(line);
                if (rule.matches()) {
                    String file = chapter.getFileName().toString();
                    rules.add(new Rule(rule.group(1), rule.group(2), rule.group(3), file));
                }
            });
        }
        return rules;
    }

    private static Set<String> ids() {
        return rules().stream().map(Rule::id).collect(toCollection(TreeSet::new));
    }

    /** Rule ids in files, with the names of the files. */
    private static Map<String, Set<String>> citations(Stream<Path> files) {
        Map<String, Set<String>> citations = new LinkedHashMap<>();
        files.forEach(file -> {
            Matcher id = ID.matcher(text(file));
            while (id.find()) {
                citations
                        .computeIfAbsent(id.group(), any -> new TreeSet<>())
                        .add(file.getFileName().toString());
            }
        });
        return citations;
    }

    private static List<Path> chapters() {
        return specificationFiles()
                .filter(file -> Character.isDigit(file.getFileName().toString().charAt(0)))
                .toList();
    }

    private static Stream<Path> specificationFiles() {
        return walk(SPECIFICATION).filter(file -> file.toString().endsWith(".md"));
    }

    /** Sources and tests of all modules, but for this one and the ledger's, whose examples are no citations. */
    private static Stream<Path> sources() {
        return Stream.of("dataplane", "dpdk-glue", "control", "test-harness", "config", "deploy")
                .map(ROOT::resolve)
                .filter(Files::isDirectory)
                .flatMap(SpecificationTest::walk)
                .filter(file -> SOURCES.stream().anyMatch(file.toString()::endsWith))
                .filter(file -> !file.toString().contains("target"))
                .filter(file -> !file.endsWith("SpecificationTest.java") && !file.endsWith("CoverageTest.java"));
    }

    private static Stream<Path> walk(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> lines(Path file) {
        return text(file).lines();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
