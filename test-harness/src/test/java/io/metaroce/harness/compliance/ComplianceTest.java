// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.harness.compliance.Verdict.Kind;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.PacketRecord;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComplianceTest {
    private static final String HEAD = "case a\ntitle A title\nrules MOP-RCV-18\n";

    private static List<Verdict> play(List<Case> cases) throws InterruptedException {
        try (Responder responder = Responder.start("127.0.0.1", 0, NodeOptions.SERVING)) {
            return new Suite(cases, Map.of())
                    .play(new InetSocketAddress(InetAddress.getLoopbackAddress(), responder.port()), 4, told -> {});
        }
    }

    @Test
    void theSuiteHasAtLeastOneHundredAndFiftyCasesAndNoNameTwice() {
        List<Case> all = CaseReader.all();

        assertThat(all).hasSizeGreaterThanOrEqualTo(150);
        assertThat(all.stream().map(Case::id)).doesNotHaveDuplicates();
    }

    @Test
    void ourTargetPassesTheGroupsOfReceiving() throws InterruptedException {
        List<Case> cases = CaseReader.all().stream()
                .filter(each -> List.of("sack", "dedupe", "placement").contains(each.group()))
                .toList();

        assertThat(play(cases))
                .allSatisfy(verdict ->
                        assertThat(verdict.kind()).as(verdict.explanation()).isEqualTo(Kind.PASS));
    }

    @Test
    void aFailureNamesRuleFrameExpectedAndSeenAndSavesACommentedCapture(@TempDir Path directory) throws Exception {
        Verdict verdict = play(CaseReader.read("g", HEAD + "send WRITE payload=64\nexpect ACK next=2 within=100\n"))
                .get(0);

        assertThat(verdict.kind()).isEqualTo(Kind.FAIL);
        assertThat(verdict.explanation())
                .contains("MOP-RCV-18", "g.case:5", "expect ACK next=2", "next-expected-path-sequence=1");
        Path file = directory.resolve("c.pcapng");
        Recording recording = Objects.requireNonNull(verdict.recording());
        recording.save(file, verdict.failure());
        try (FileChannel in = FileChannel.open(file)) {
            CaptureReader reader = new CaptureReader(in);
            PacketRecord record = new PacketRecord();
            assertThat(reader.next(record)).isTrue();
            assertThat(record.commentCount()).isEqualTo(1);
        }
        assertThat(Reports.junit(List.of(verdict))).contains("failures=\"1\"", "MOP-RCV-18");
        assertThat(Reports.html(List.of(verdict), "a<b")).contains("a&lt;b", "FAIL");
    }

    @Test
    void everyMutantNamesACaseThatThereIsAndOneIsCaught() {
        Map<String, Case> cases = new HashMap<>();
        CaseReader.all().forEach(each -> cases.put(each.id(), each));

        assertThat(Mutant.all())
                .hasSizeGreaterThanOrEqualTo(40)
                .allSatisfy(mutant -> assertThat(cases).containsKey(mutant.caughtBy()));
        Mutant first = Mutant.all().get(0);
        try (Responder responder = Responder.start("127.0.0.1", 0, NodeOptions.SERVING)) {
            InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), responder.port());
            Case catching = Objects.requireNonNull(cases.get(first.caughtBy()));

            assertThat(CaseRun.play(catching, target, first).kind()).isEqualTo(Kind.FAIL);
        }
    }

    @Test
    void aBrokenScriptIsNamedByItsLine() {
        assertThatThrownBy(() -> CaseReader.read("g", HEAD + "sned WRITE\n"))
                .hasMessageContaining("g.case:4")
                .hasMessageContaining("sned");
        assertThatThrownBy(() -> CaseReader.read("g", HEAD + "expect ACK colour=1\n"))
                .hasMessageContaining("g.case:4")
                .hasMessageContaining("colour");
    }

    @Test
    void anExcludedCaseIsNotPlayedAndKeepsItsReason() throws InterruptedException {
        List<Case> cases = CaseReader.read("g", HEAD + "alive\n");
        Suite suite = new Suite(cases, Suite.exclusions(List.of("# why", "g/* not ours")));

        Verdict verdict = suite.play(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), 1, told -> {})
                .get(0);

        assertThat(verdict.kind()).isEqualTo(Kind.EXCLUDED);
        assertThat(verdict.explanation()).isEqualTo("not ours");
    }
}
