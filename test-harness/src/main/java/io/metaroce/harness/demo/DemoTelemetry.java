// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.control.daemon.Node;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.PathCounter;
import io.metaroce.port.PortCounter;
import io.metaroce.wrap.FaultCounter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Pattern;

/** What a demo process reports: its application's numbers come from elsewhere, the wire's and the paths' from here. */
final class DemoTelemetry {
    private static final Pattern SENT_PACKETS =
            Pattern.compile("^metaroce_lane_tx_packets_total\\{[^}]*} [1-9]", Pattern.MULTILINE);

    private final Node node;

    DemoTelemetry(Node node) {
        this.node = node;
    }

    /** Whether our own endpoint answers, and a lane that has sent something says so there. */
    static boolean metricsAreServed(int port) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + DemoPlan.HOST + ":" + port + "/metrics"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            HttpResponse<String> response =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200
                    && SENT_PACKETS.matcher(response.body()).find();
        } catch (IOException e) {
            return false;
        }
    }

    ObjectNode event(String name) {
        return JsonNodeFactory.instance.objectNode().put("event", name);
    }

    /** Adds losses as the fault injector counted them, and the paths as the connection sees them. */
    void describe(ObjectNode event, PeerConnection peer) {
        event.put("lostData", node.count(FaultCounter.LOST_DATA) + node.count(FaultCounter.PATH_KILLED_DATA));
        event.put("lost", node.count(FaultCounter.LOST) + node.count(FaultCounter.PATH_KILLED));
        event.put("killed", node.count(FaultCounter.PATH_KILLED));
        event.put("missed", node.count(PortCounter.RX_MISSED) + node.count(PortCounter.RX_NO_BUFFER));
        ConnectionCounters counters = peer.counters();
        event.put("retransmitted", retransmitted(counters));
        event.put("timeouts", counters.get(ConnectionCounter.ACK_TIMEOUTS));
        event.put("duplicates", counters.get(ConnectionCounter.RX_DUPLICATES));
        ArrayNode states = event.putArray("states");
        ArrayNode packets = event.putArray("packets");
        long rttNs = 0;
        for (int path = 0; path < counters.pathCount(); path++) {
            states.add(counters.get(PathCounter.STATE, path));
            packets.add(counters.get(PathCounter.TX_PACKETS, path));
            rttNs = Math.max(rttNs, counters.get(PathCounter.SRTT_NS, path));
        }
        event.put("rttUs", rttNs / 1_000);
        event.put("transitions", counters.get(PathCounter.TRANSITIONS, DemoPlan.VICTIM));
    }

    /** Retransmissions by what called for them, as the connection counts them. */
    private static long retransmitted(ConnectionCounters counters) {
        return counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                + counters.get(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                + counters.get(ConnectionCounter.TX_RETRANSMITTED_MOVED);
    }
}
