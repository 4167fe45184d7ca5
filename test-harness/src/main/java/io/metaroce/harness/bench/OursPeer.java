// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Ours: a perf server and a perf client, every byte checked, on loopback or through a lossy link. */
final class OursPeer implements Peer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double MEBIBYTE = 1 << 20;
    private static final int SLACK_SECONDS = 40;
    /** Until then the compiler takes its share of two processors, and what is measured is the compiler. */
    private static final int WARM_UP_SECONDS = 8;

    private static final int TCP_PORT = 18_731;

    private final String name;
    private final String test;
    private final int messageBytes;
    private final List<String> options;
    private final @Nullable LossyLink link;
    private final double lossPercent;

    OursPeer(String name, String test, int messageBytes, List<String> options) {
        this(name, test, messageBytes, options, null, 0);
    }

    OursPeer(
            String name,
            String test,
            int messageBytes,
            List<String> options,
            @Nullable LossyLink link,
            double lossPercent) {
        this.name = name;
        this.test = test;
        this.messageBytes = messageBytes;
        this.options = List.copyOf(options);
        this.link = link;
        this.lossPercent = lossPercent;
    }

    @Override
    public String row() {
        return name;
    }

    @Override
    public String port() {
        return link == null ? "udp" : "udp-veth";
    }

    @Override
    public int messageBytes() {
        return messageBytes;
    }

    @Override
    public double lossPercent() {
        return lossPercent;
    }

    @Override
    public @Nullable String missing() {
        return link == null ? null : link.missing();
    }

    @Override
    public Sample run(int seconds) throws IOException, InterruptedException {
        if (link != null) {
            link.lose(lossPercent);
        }
        String address = link == null ? "127.0.0.1" : LossyLink.SERVER;
        List<String> server = new ArrayList<>(
                List.of("perf", "server", "--once", "--bind", address, "-p", Integer.toString(TCP_PORT)));
        List<String> client = new ArrayList<>(List.of("perf", "client", address, test, "--json"));
        client.addAll(List.of("-p", Integer.toString(TCP_PORT), "-s", Integer.toString(messageBytes)));
        client.addAll(List.of("-D", Integer.toString(seconds), "--warmup", WARM_UP_SECONDS + "s"));
        server.addAll(options);
        client.addAll(options);
        try (Child serving = Child.ours(prefix(true), server.toArray(new String[0]))) {
            if (link == null) {
                awaitListening(address);
            } else {
                TimeUnit.SECONDS.sleep(2);
            }
            try (Child driving = Child.ours(prefix(false), client.toArray(new String[0]))) {
                Sample sample = sample(driving.await(WARM_UP_SECONDS + seconds + SLACK_SECONDS));
                serving.await(SLACK_SECONDS);
                return sample;
            }
        }
    }

    private List<String> prefix(boolean isServer) {
        return link == null ? List.of() : link.inside(isServer);
    }

    private static void awaitListening(String address) throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            try (Socket probe = new Socket()) {
                probe.connect(new InetSocketAddress(address, TCP_PORT), 100);
                return;
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private Sample sample(String output) throws IOException {
        JsonNode row = JSON.readTree(output.strip().lines().reduce("", (first, second) -> second))
                .path("results")
                .path(0);
        if (row.path("Wrong").asLong(1) != 0) {
            throw new IOException(name + ": " + row.path("Wrong").asText("no") + " bytes right");
        }
        if (row.has("t_typical")) { // One way there; the round trip is what others report.
            return Sample.latency(
                    2 * row.path("t_typical").asDouble(),
                    2 * row.path("percentile_99").asDouble());
        }
        return Sample.bandwidth(row.path("BW_average").asDouble() * MEBIBYTE, messageBytes);
    }
}
