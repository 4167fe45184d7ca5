// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.IncomingStream;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.harness.app.PingPong;
import io.metaroce.harness.app.TransferReceiver;
import io.metaroce.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/** The server's half of one stream of a run: a receiver that checks, or a ping-pong that answers. */
final class ServedStream implements AutoCloseable {
    private final RunSpec run;
    private final int index;
    private final @Nullable TransferReceiver receiver;
    private final @Nullable PingPong pingPong;
    private @Nullable OpenedStream stream;

    /** Allocates and registers; posts nothing yet. */
    ServedStream(PerfNode perf, RunSpec run, int index) {
        this.run = run;
        this.index = index;
        boolean isLatency = run.test().isLatency();
        this.receiver = isLatency ? null : new TransferReceiver(perf.context(), perf.domain(), run.plan(index));
        this.pingPong = isLatency ? new PingPong(perf.context(), perf.domain(), run.plan(index), false) : null;
    }

    /** Grants the stream and posts its receives; the answer says where the client may write. */
    ObjectNode accept(PerfNode perf, IncomingStream incoming) throws ConnectFailure {
        stream = perf.device().accept(incoming, queuePair());
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (pingPong != null) {
            pingPong.remote(
                    incoming.peerData().path("address").asLong(),
                    incoming.peerData().path("rkey").asInt());
            pingPong.postReceives();
            return answer.put("address", pingPong.address()).put("rkey", pingPong.rkey());
        }
        TransferReceiver receiving = receiver();
        receiving.postReceives();
        return answer.put("address", receiving.address()).put("rkey", receiving.rkey());
    }

    private QueuePair queuePair() {
        return pingPong != null ? pingPong.queuePair() : receiver().queuePair();
    }

    private TransferReceiver receiver() {
        if (receiver == null) {
            throw new IllegalStateException("a latency run has no receiver");
        }
        return receiver;
    }

    RunSpec run() {
        return run;
    }

    int index() {
        return index;
    }

    /** Checks and answers what has arrived; returns how much it did. */
    int doWork() {
        return pingPong != null ? pingPong.doWork() : receiver().doWork();
    }

    long messages() {
        return pingPong != null ? pingPong.arrivals() : receiver().checked();
    }

    /** Bytes that were not what they had to be, or were written again after they had been checked. */
    long wrongBytes() {
        return pingPong != null
                ? pingPong.wrongBytes() + pingPong.outOfTurn()
                : receiver().wrongBytes() + receiver().lateBytes() + receiver().outOfTurn();
    }

    /** Whether the client has closed the stream, or is gone. */
    boolean hasEnded() {
        return stream == null || stream.closed().isDone();
    }

    /** Why it ended; meaningful if {@link #hasEnded}. */
    String endReason() {
        return stream == null ? "never opened" : stream.closed().getNow("open");
    }

    @Override
    public void close() {
        if (pingPong != null) {
            pingPong.close();
        } else {
            receiver().close();
        }
    }
}
