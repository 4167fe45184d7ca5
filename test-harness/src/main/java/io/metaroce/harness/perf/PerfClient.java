// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.harness.app.PingPong;
import io.metaroce.harness.app.TransferSender;
import io.metaroce.verbs.QueuePair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The client's side of one connection: runs, one after the other. */
final class PerfClient {
    private final PerfNode perf;
    private final PeerConnection peer;
    private final Watch watch;
    private final Duration timeout;

    PerfClient(PerfNode perf, PeerConnection peer, Watch watch, Duration timeout) {
        this.perf = perf;
        this.peer = peer;
        this.watch = watch;
        this.timeout = timeout;
    }

    /**
     * Opens the streams of a run, drives it, and closes them.
     *
     * @param warmUp driven before anything is measured, so that compilers have done their work; zero for none
     * @throws ConnectFailure if the server refuses, with its reason
     */
    PerfResult run(RunSpec spec, RunLimit limit, Duration warmUp, Measurement.Progress progress) throws ConnectFailure {
        try (Measurement.Run run = open(spec)) {
            if (!warmUp.isZero()) {
                run.drive(RunLimit.ofDuration(warmUp.toNanos()), watch, Measurement.Progress.NONE, System::nanoTime);
            }
            LinkStatistics before = statistics();
            Measurement measured = run.drive(limit, watch, progress, System::nanoTime);
            LinkStatistics during = statistics().minus(before);
            return new PerfResult(
                    spec.sizeBytes(),
                    measured.messages(),
                    measured.elapsedNs(),
                    measured.peakBytesPerSecond(),
                    measured.latencyNs(),
                    during,
                    run.wrongBytes(),
                    spec.depth());
        }
    }

    private LinkStatistics statistics() throws ConnectFailure {
        return LinkStatistics.of(perf.node(), peer.counters()).plus(Report.ask(perf, peer, timeout));
    }

    private Measurement.Run open(RunSpec spec) throws ConnectFailure {
        return spec.test().isLatency() ? openLatency(spec) : openBandwidth(spec);
    }

    private Measurement.Run openLatency(RunSpec spec) throws ConnectFailure {
        PingPong pingPong = new PingPong(perf.context(), perf.domain(), spec.plan(0), true);
        try {
            ObjectNode request =
                    spec.toJson(0).put("address", pingPong.address()).put("rkey", pingPong.rkey());
            JsonNode answer = connect(request, pingPong.queuePair());
            pingPong.postReceives();
            pingPong.remote(answer.path("address").asLong(), answer.path("rkey").asInt());
            return new LatencyRun(pingPong);
        } catch (ConnectFailure | RuntimeException e) {
            pingPong.close();
            throw e;
        }
    }

    private Measurement.Run openBandwidth(RunSpec spec) throws ConnectFailure {
        List<TransferSender> senders = new ArrayList<>();
        try {
            for (int stream = 0; stream < spec.queuePairs(); stream++) {
                TransferSender sender = new TransferSender(perf.context(), perf.domain(), spec.plan(stream));
                senders.add(sender);
                JsonNode answer = connect(spec.toJson(stream), sender.queuePair());
                sender.start(
                        answer.path("address").asLong(), answer.path("rkey").asInt());
            }
            return new BandwidthRun(spec, senders);
        } catch (ConnectFailure | RuntimeException e) {
            senders.forEach(TransferSender::close);
            throw e;
        }
    }

    private JsonNode connect(ObjectNode request, QueuePair queuePair) throws ConnectFailure {
        return perf.device()
                .connect(peer, RunSpec.SERVICE, request, queuePair, timeout)
                .peerData();
    }
}
