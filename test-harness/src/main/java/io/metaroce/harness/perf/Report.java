// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.IncomingStream;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.QueuePairSettings;
import java.time.Duration;

/**
 * How the client learns what the server's side has counted: it opens a stream that carries nothing, and the answer carries
 * the numbers.
 */
final class Report {
    static final String SERVICE = "perf-report";

    private Report() {}

    /** Asks the server. */
    static LinkStatistics ask(PerfNode perf, PeerConnection peer, Duration timeout) throws ConnectFailure {
        try (CompletionQueue queue = perf.context().createCompletionQueue(2);
                QueuePair queuePair = queuePair(perf, queue)) {
            OpenedStream stream = perf.device().connect(peer, SERVICE, NullNode.getInstance(), queuePair, timeout);
            return LinkStatistics.fromJson(stream.peerData());
        }
    }

    /** Answers a client; the queue pair is kept until its stream has ended. */
    static JsonNode answer(PerfNode perf, IncomingStream incoming) throws ConnectFailure {
        CompletionQueue queue = perf.context().createCompletionQueue(2);
        QueuePair queuePair = queuePair(perf, queue);
        Runnable close = () -> {
            queuePair.close();
            queue.close();
        };
        try {
            var unused = perf.device().accept(incoming, queuePair).closed().thenRun(close);
        } catch (ConnectFailure e) {
            close.run();
            throw e;
        }
        return LinkStatistics.of(perf.node(), incoming.connection().counters()).toJson();
    }

    private static QueuePair queuePair(PerfNode perf, CompletionQueue queue) {
        return perf.domain().createQueuePair(new QueuePairSettings(queue, queue, 1, 1));
    }
}
