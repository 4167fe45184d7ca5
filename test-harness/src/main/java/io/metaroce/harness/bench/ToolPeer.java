// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Programs of others, as their packages install them: a server and a client on loopback, and what they print. */
enum ToolPeer implements Peer {
    TCP_CUBIC("tcp_cubic", Peer.LARGE, "iperf3", "iperf3") {
        @Override
        public Sample run(int seconds) throws IOException, InterruptedException {
            return iperf("cubic", seconds);
        }
    },
    TCP_BBR("tcp_bbr", Peer.LARGE, "iperf3", "iperf3") {
        @Override
        public Sample run(int seconds) throws IOException, InterruptedException {
            return iperf("bbr", seconds);
        }
    },
    UCX_TCP("ucx_tcp", Peer.LARGE, "ucx_perftest", "ucx-utils") {
        @Override
        public Sample run(int seconds) throws IOException, InterruptedException {
            return Sample.bandwidth(1e6 * ucx("tag_bw", LARGE, 1_000L * seconds, UCX_BANDWIDTH), LARGE);
        }
    },
    UCX_TCP_RATE("ucx_tcp_64", Peer.SMALL, "ucx_perftest", "ucx-utils") {
        @Override
        public Sample run(int seconds) throws IOException, InterruptedException {
            double rate = ucx("tag_bw", SMALL, 100_000L * seconds, UCX_RATE);
            return new Sample(rate * SMALL / 1e9, rate, Double.NaN, Double.NaN);
        }
    };

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PORT = 18_733;
    private static final int SLACK_SECONDS = 60;
    /** Columns of the last line: iterations, three latencies, two bandwidths in MB of 2^20, two rates. */
    private static final int UCX_BANDWIDTH = 5;

    private static final int UCX_RATE = 7;

    private final String word;
    private final int bytes;
    private final String program;
    private final String debianPackage;

    ToolPeer(String word, int bytes, String program, String debianPackage) {
        this.word = word;
        this.bytes = bytes;
        this.program = program;
        this.debianPackage = debianPackage;
    }

    @Override
    public String port() {
        return "tcp";
    }

    @Override
    public int messageBytes() {
        return bytes;
    }

    @Override
    public @Nullable String missing() {
        return Child.exists(program) ? null : "needs " + program + " (apt install " + debianPackage + ")";
    }

    @Override
    public String row() {
        return word;
    }

    private static Sample iperf(String congestion, int seconds) throws IOException, InterruptedException {
        String port = Integer.toString(PORT);
        try (Child server = Child.tool(List.of("iperf3", "-s", "-1", "-p", port))) {
            TimeUnit.MILLISECONDS.sleep(500);
            try (Child client = Child.tool(List.of(
                    "iperf3",
                    "-c",
                    "127.0.0.1",
                    "-p",
                    port,
                    "-J",
                    "-l",
                    "1M",
                    "-C",
                    congestion,
                    "-t",
                    Integer.toString(seconds)))) {
                JsonNode report = JSON.readTree(client.await(seconds + SLACK_SECONDS));
                server.await(SLACK_SECONDS);
                return Sample.bandwidth(
                        report.path("end")
                                        .path("sum_received")
                                        .path("bits_per_second")
                                        .asDouble()
                                / 8,
                        LARGE);
            }
        }
    }

    private static double ucx(String test, int size, long iterations, int column)
            throws IOException, InterruptedException {
        String port = Integer.toString(PORT);
        List<String> environment = List.of("env", "UCX_TLS=tcp,self", "UCX_NET_DEVICES=lo");
        List<String> common = List.of("-p", port);
        try (Child server = Child.tool(join(List.of(environment, List.of("ucx_perftest"), common)))) {
            TimeUnit.MILLISECONDS.sleep(800);
            List<String> what = List.of(
                    "-t", test, "-s", Integer.toString(size), "-n", Long.toString(iterations), "-w", "500", "-f");
            try (Child client =
                    Child.tool(join(List.of(environment, List.of("ucx_perftest", "127.0.0.1"), common, what)))) {
                String output = client.await(SLACK_SECONDS);
                server.await(SLACK_SECONDS);
                String[] columns = output.strip()
                        .lines()
                        .reduce("", (first, second) -> second)
                        .strip()
                        .split("\\s+", -1);
                if (columns.length <= UCX_RATE) {
                    throw new IOException("ucx_perftest printed no final line");
                }
                double value = Double.parseDouble(columns[column]);
                return column == UCX_BANDWIDTH ? value * 1.048576 : value;
            }
        }
    }

    private static List<String> join(List<List<String>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }
}
