// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bare loop in Java, run in a process of its own by {@link LoopCommand}. */
final class LoopPeer implements Peer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SLACK_SECONDS = 40;

    private final Loop loop;

    LoopPeer(Loop loop) {
        this.loop = loop;
    }

    @Override
    public String row() {
        return loop.word();
    }

    @Override
    public String port() {
        return "udp";
    }

    @Override
    public int messageBytes() {
        return loop == Loop.PING_PONG ? SMALL : LARGE;
    }

    @Override
    public @Nullable String missing() {
        return null;
    }

    @Override
    public Sample run(int seconds) throws IOException, InterruptedException {
        try (Child child = Child.ours(List.of(), "bench", "loop", loop.word(), Integer.toString(seconds))) {
            String output = child.await(seconds + SLACK_SECONDS);
            JsonNode result = JSON.readTree(output.strip());
            return result.has("p50us")
                    ? Sample.latency(
                            result.path("p50us").asDouble(),
                            result.path("p99us").asDouble())
                    : Sample.bandwidth(result.path("bytesPerSecond").asDouble(), messageBytes());
        }
    }
}
