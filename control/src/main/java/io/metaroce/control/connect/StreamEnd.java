// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Our end of one stream. Fields that change are the control thread's, except the peer's data, which is set before the
 * stream is handed to the application.
 */
final class StreamEnd implements OpenedStream, IncomingStream {
    enum State {
        /** Asked for, by us or by the peer; not granted yet. */
        OPENING,
        OPEN,
        /** The lane flushes it. */
        CLOSING,
        CLOSED
    }

    private final Session session;
    private final int id;
    private final String service;
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    /** Completes when the peer has answered; fails only after the lane has let go of the rings. */
    final CompletableFuture<OpenedStream> opened = new CompletableFuture<>();

    State state = State.OPENING;
    /** Whether the lane has it, so that its end must be waited for. */
    boolean isInLane;

    String endReason = "closed";
    /** What we said when we asked or granted; said again on a new channel. */
    @Nullable
    ControlMessage said;

    private volatile JsonNode peerData;
    private volatile int peerQueuePair;

    StreamEnd(Session session, int id, String service, @Nullable JsonNode peerData, int peerQueuePair) {
        this.session = session;
        this.id = id;
        this.service = service;
        this.peerData = peerData == null ? NullNode.getInstance() : peerData;
        this.peerQueuePair = peerQueuePair;
    }

    void onGranted(JsonNode data, int queuePair) {
        peerData = data;
        peerQueuePair = queuePair;
        state = State.OPEN;
        opened.complete(this);
    }

    /** The rings are free. */
    void finish(String reason) {
        state = State.CLOSED;
        opened.completeExceptionally(new ConnectFailure(reason));
        closed.complete(reason);
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public PeerConnection connection() {
        return session;
    }

    @Override
    public String service() {
        return service;
    }

    @Override
    public JsonNode peerData() {
        return peerData;
    }

    @Override
    public int peerQueuePair() {
        return peerQueuePair;
    }

    @Override
    public OpenedStream accept(QueueSpec queues) throws ConnectFailure {
        return session.acceptStream(this, queues);
    }

    @Override
    public void close() {
        session.closeStream(this);
    }

    @Override
    public CompletableFuture<String> closed() {
        return closed;
    }
}
