// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.IncomingStream;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Serves runs of any number of clients: every stream is received, checked and answered by the thread that calls
 * {@link #doWork}. Services only prepare a stream and hand it over.
 */
final class PerfServer {
    private final PerfNode perf;
    private final Expectation expectation;
    private final Queue<ServedStream> arriving = new ConcurrentLinkedQueue<>();
    private final Queue<Refused> refusals = new ConcurrentLinkedQueue<>();
    private final List<ServedStream> serving = new ArrayList<>();
    private final Map<Long, ServedRun> runs = new LinkedHashMap<>();
    private final IdleStrategy idle = Idling.strategy();
    private volatile @Nullable PeerConnection firstPeer;
    private long wrongBytes;

    /** A run as the server saw it. */
    static final class ServedRun {
        private final RunSpec spec;
        private int openStreams;
        private long messages;
        private long wrongBytes;

        private ServedRun(RunSpec spec) {
            this.spec = spec;
        }

        RunSpec spec() {
            return spec;
        }

        long messages() {
            return messages;
        }

        long wrongBytes() {
            return wrongBytes;
        }
    }

    /** Hears of runs that are over. */
    interface RunListener {
        void onRunEnded(ServedRun run, String reason);

        /** A client was refused, and told why in the same words. */
        void onRefused(PeerConnection client, String why);
    }

    private record Refused(PeerConnection client, String why) {}

    PerfServer(PerfNode perf, Expectation expectation) {
        this.perf = perf;
        this.expectation = expectation;
    }

    /** From now on clients are served. */
    void start() {
        perf.node().serve(Report.SERVICE, incoming -> Report.answer(perf, incoming));
        perf.node().serve(RunSpec.SERVICE, this::onOpen);
    }

    private JsonNode onOpen(IncomingStream incoming) throws ConnectFailure {
        try {
            return open(incoming);
        } catch (ConnectFailure e) {
            refusals.add(new Refused(incoming.connection(), String.valueOf(e.getMessage())));
            throw e;
        }
    }

    private JsonNode open(IncomingStream incoming) throws ConnectFailure {
        ServedStream served;
        try {
            RunSpec run = RunSpec.fromJson(incoming.peerData());
            String mismatch = expectation.mismatch(run);
            if (!mismatch.isEmpty()) {
                throw new ConnectFailure(mismatch);
            }
            served = new ServedStream(perf, run, RunSpec.stream(incoming.peerData()));
        } catch (IllegalArgumentException | VerbsException e) {
            throw new ConnectFailure(String.valueOf(e.getMessage()));
        }
        try {
            JsonNode answer = served.accept(perf, incoming);
            firstPeer = firstPeer == null ? incoming.connection() : firstPeer;
            arriving.add(served);
            return answer;
        } catch (ConnectFailure | RuntimeException e) {
            served.close();
            throw e;
        }
    }

    /** One turn over all streams; waits a little when there was nothing to do. */
    void doWork(RunListener listener) {
        int work = 0;
        for (ServedStream next = arriving.poll(); next != null; next = arriving.poll()) {
            serving.add(next);
            RunSpec spec = next.run();
            runs.computeIfAbsent(spec.seed(), seed -> new ServedRun(spec)).openStreams++;
            work++;
        }
        for (Refused refused = refusals.poll(); refused != null; refused = refusals.poll()) {
            listener.onRefused(refused.client, refused.why);
        }
        for (Iterator<ServedStream> each = serving.iterator(); each.hasNext(); ) {
            ServedStream stream = each.next();
            work += stream.doWork();
            if (stream.hasEnded()) {
                each.remove();
                end(stream, listener);
            }
        }
        idle.idle(work);
    }

    private void end(ServedStream stream, RunListener listener) {
        ServedRun run = runs.get(stream.run().seed());
        if (run != null) {
            run.messages += stream.messages();
            run.wrongBytes += stream.wrongBytes();
            wrongBytes += stream.wrongBytes();
            run.openStreams--;
            if (run.openStreams == 0) {
                runs.remove(stream.run().seed());
                listener.onRunEnded(run, stream.endReason());
            }
        }
        stream.close();
    }

    /** Over all runs so far. */
    long wrongBytes() {
        return wrongBytes;
    }

    /** Whether a client came, and the first one has gone. */
    boolean firstClientIsDone() {
        PeerConnection peer = firstPeer;
        return peer != null && peer.closed().isDone() && serving.isEmpty() && arriving.isEmpty();
    }

    /** Closes what is still open; the node must still run. */
    void close() {
        perf.node().unserve(RunSpec.SERVICE);
        perf.node().unserve(Report.SERVICE);
        for (ServedStream next = arriving.poll(); next != null; next = arriving.poll()) {
            next.close();
        }
        serving.forEach(ServedStream::close);
        serving.clear();
    }
}
