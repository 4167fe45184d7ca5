// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the comparison says of the samples it was given. */
class PeersReportTest {
    private final PeersReport report = new PeersReport();
    private final Peer ours = new OursPeer(PeersReport.OURS_LARGE, "write_bw", Peer.LARGE, List.of());
    private final Peer loop = new LoopPeer(Loop.RAW_GSO8);

    private void goodputs(Peer peer, double... gigabytes) {
        for (double each : gigabytes) {
            report.add(peer, Sample.bandwidth(each * 1e9, peer.messageBytes()));
        }
    }

    private Peer lossy(String name, double percent) {
        return new OursPeer(PeersReport.OURS_KEPT + name, "write_bw", Peer.LARGE, List.of(), new LossyLink(), percent);
    }

    @Test
    void aRatioIsThatOfMediansSoThatOneBadRunChangesNothing() {
        goodputs(ours, 1.0, 0.01, 1.2);
        goodputs(loop, 2.0, 2.0, 9.0);

        assertThat(report.ratios()).containsOnlyKeys("ours_udp_1M_vs_raw_gso8");
        assertThat(report.ratios().get("ours_udp_1M_vs_raw_gso8")).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void keptGoodputIsRelativeToOurOwnOnTheSameLink() {
        goodputs(lossy("0", 0), 0.8);
        goodputs(lossy("1", 1), 0.6);

        assertThat(report.ratios()).containsOnlyKeys("kept_loss1");
        assertThat(report.ratios().get("kept_loss1")).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void theJsonNamesEveryRowRatioAndReasonAndLeavesUnmeasuredNumbersNull() {
        goodputs(ours, 1.5);
        report.add(new LoopPeer(Loop.PING_PONG), Sample.latency(10, 20));
        report.skip("ucx_tcp", "needs ucx_perftest (apt install ucx-utils)");
        JsonNode json = report.json();

        assertThat(json.path("rows")).hasSize(2);
        JsonNode bandwidth = json.path("rows").path(0);
        assertThat(bandwidth.path("peer").asText()).isEqualTo("ours_udp_1M");
        assertThat(bandwidth.path("size").asInt()).isEqualTo(1 << 20);
        assertThat(bandwidth.path("goodputGBps").asDouble()).isEqualTo(1.5);
        assertThat(bandwidth.path("p50us").isNull()).isTrue();
        assertThat(json.path("rows").path(1).path("p99us").asDouble()).isEqualTo(20);
        assertThat(json.path("skipped").path("ucx_tcp").asText()).contains("apt install");
        assertThat(json.has("ratios")).isTrue();
    }

    @Test
    void theTableShowsMedianAndSpread() {
        goodputs(ours, 1.0, 2.0, 3.0);
        StringWriter text = new StringWriter();
        report.print(new PrintWriter(text));

        assertThat(text.toString()).contains("ours_udp_1M").contains("2.000 [1.000-3.000]");
    }
}
