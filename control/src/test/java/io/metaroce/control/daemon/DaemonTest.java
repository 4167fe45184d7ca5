// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.Frame;
import io.metaroce.control.connect.PeerConnection;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DaemonTest {
    private static final String[] SETS = {
        "metrics.enabled=true", "metrics.port=0", "node.name=a", "lanes.stall_limit=1min"
    };
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void servesItsNumbersAndItsReadiness() throws Exception {
        try (Daemon daemon = Daemon.start(NodeTest.config(SETS), NodeOptions.SERVING);
                Node client = Node.start(NodeTest.config(), NodeOptions.CLIENT)) {
            PeerConnection peer =
                    client.connect("127.0.0.1", daemon.node().controlPort(), Duration.ofSeconds(20), why -> {});
            peer.ready().get(20, TimeUnit.SECONDS);

            assertThat(get(daemon, "readyz").body()).isEqualTo("ready\n");
            assertThat(get(daemon, "metrics").body())
                    .contains(
                            "metaroce_connections 1.0",
                            "metaroce_connections_opened_total 1.0",
                            "metaroce_paths{state=\"active\"}",
                            "metaroce_port_state{device=\"port0\",port=\"1\"} 1.0")
                    .doesNotContain("NaN");
            assertThat(DaemonCommand.readyLine(daemon))
                    .matches("READY node=a pid=\\d+ control=127\\.0\\.0\\.1:\\d+ "
                            + "metrics=http://127\\.0\\.0\\.1:\\d+/metrics port0=127\\.0\\.0\\.1:\\d+");
        }
    }

    /** A lane that stands still is named; the test's limit is shorter than any duty cycle. */
    @Test
    void namesTheLaneThatStandsStill() throws Exception {
        try (Daemon daemon = Daemon.start(NodeTest.config(SETS), NodeOptions.SERVING)) {
            daemon.stallLimitNs(-1);

            HttpResponse<String> answer = get(daemon, "readyz");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).startsWith("lane 0 has stood still for ");
            assertThat(get(daemon, "healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void namesAMetricsPortThatIsTakenAndLeavesNothingRunning() throws Exception {
        try (Daemon daemon = Daemon.start(NodeTest.config(SETS), NodeOptions.SERVING)) {
            String port = "metrics.port=" + daemon.metricsPort();

            assertThatThrownBy(() -> Daemon.start(NodeTest.config("metrics.enabled=true", port), NodeOptions.SERVING))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("address already in use; choose another address or port with metrics.bind");
        }
    }

    @Test
    void showsDevicesInTheShapeOfIbvDevinfo() {
        assertThat(run(new DevinfoCommand(), "devinfo", "-v")).isZero();

        assertThat(out.toString())
                .startsWith("hca_id:\tport0\n\ttransport:\t\t\tMetaRoCE Open Profile (MOP/1)\n")
                .contains(
                        "\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n",
                        "\t\t\tactive_mtu:\t\t8192\n",
                        "\t\t\tlink_layer:\t\tEthernet\n",
                        "GID[  0]:\t\t0000:0000:0000:0000:0000:ffff:7f00:0001\n",
                        "\tmax_mr:\t\t\t\t4096\n");
    }

    @Test
    void showsDevicesAsJsonAndNamesAnUnknownOne() {
        assertThat(run(new DevinfoCommand(), "devinfo", "--json")).isZero();
        assertThat(out.toString()).contains("\"hca_id\" : \"port0\"", "\"active_mtu\" : 8192");

        assertThat(run(new DevinfoCommand(), "devinfo", "-d", "mlx5_0")).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("metaroce: no device mlx5_0; there are: port0\n");
    }

    @Test
    void checksAndDumpsAConfiguration() {
        assertThat(run(new ConfigCommand(), "config", "dump", "--set", "transport.paths=16"))
                .isZero();
        assertThat(out.toString()).containsPattern("transport.paths +16 +# --set transport.paths=16\n");

        assertThat(run(new ConfigCommand(), "config", "check", "/nonexistent.yaml"))
                .isEqualTo(1);
        assertThat(err.toString()).isEqualTo("metaroce: /nonexistent.yaml: no such file\n");

        assertThat(run(new ConfigCommand(), "config")).isEqualTo(2);
    }

    private int run(Command command, String... arguments) {
        return Frame.of(List.of(command), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }

    private static HttpResponse<String> get(Daemon daemon, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + daemon.metricsPort() + "/" + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
