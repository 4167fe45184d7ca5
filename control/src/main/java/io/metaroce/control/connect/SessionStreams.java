// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.metaroce.control.connect.ControlMessage.AcceptStream;
import io.metaroce.control.connect.ControlMessage.CloseStream;
import io.metaroce.control.connect.ControlMessage.OpenStream;
import io.metaroce.control.connect.ControlMessage.RefuseStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of one connection (MOP-CTL-16, MOP-STR-40): asked for by us, asked for by the peer, closed by either. Our end stands in the lane before
 * the peer hears of it, so that the peer's first packet finds it. Control thread only, but for {@link #open}.
 */
final class SessionStreams {
    private static final Logger LOG = LoggerFactory.getLogger(SessionStreams.class);

    private final Session session;
    private final ConnectionManager manager;
    private final StreamTable table;
    /** Closes that found no channel; at most one for each stream there was. */
    private final List<CloseStream> unsaid = new ArrayList<>();

    SessionStreams(Session session, ConnectionManager manager, StreamTable table) {
        this.session = session;
        this.manager = manager;
        this.table = table;
    }

    int count() {
        return table.count();
    }

    void onMessage(ControlMessage message) throws ControlProtocolException {
        if (message instanceof OpenStream open) {
            onOpen(open);
        } else if (message instanceof AcceptStream accept) {
            onAccepted(accept);
        } else if (message instanceof RefuseStream refuse) {
            onRefused(refuse);
        } else if (message instanceof CloseStream close) {
            StreamEnd stream = table.find(close.stream());
            if (stream != null) {
                onClosedByPeer(stream, close.reason());
            }
        } else {
            throw new ControlProtocolException(
                    message.getClass().getSimpleName() + " makes no sense on an established connection");
        }
    }

    /** Asks the peer for a stream and waits; any thread but the control thread. */
    OpenedStream open(String service, JsonNode privateData, QueueSpec queues, Duration timeout) throws ConnectFailure {
        if (privateData.toString().length() > ControlCodec.PRIVATE_DATA_BYTES_MAX) {
            throw new ConnectFailure("private data of more than " + ControlCodec.PRIVATE_DATA_BYTES_MAX + " bytes");
        }
        StreamEnd stream = manager.thread().call(nowNs -> ask(service, privateData, queues));
        CompletableFuture<OpenedStream> opened = stream.opened;
        try {
            return ControlThread.await(opened, timeout.toNanos(), TimeUnit.NANOSECONDS, "");
        } catch (ConnectFailure e) {
            if (!opened.isDone()) {
                String late = session.remote() + " did not answer for service \"" + service + "\" within "
                        + timeout.toMillis() + " ms";
                manager.thread().execute(nowNs -> close(stream, late));
                // The rings are the caller's again only when the lane has let go of them.
                return ControlThread.await(opened, ControlThread.ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS, late);
            }
            throw e;
        }
    }

    /** Asks, on the control thread; the answer completes {@link StreamEnd#opened}. */
    StreamEnd ask(String service, JsonNode privateData, QueueSpec queues) throws ConnectFailure {
        requireAlive();
        if (session.peerDrains()) {
            throw new ConnectFailure("the peer " + session.remote() + " is shutting down");
        }
        StreamEnd stream = new StreamEnd(session, table.allocate(), service, null, 0);
        openInLane(stream, queues);
        table.add(stream);
        stream.said = new OpenStream(stream.id(), service, queues.queuePairNumber(), privateData);
        session.say(stream.said);
        return stream;
    }

    private void openInLane(StreamEnd stream, QueueSpec queues) throws ConnectFailure {
        try {
            manager.dataplane().openStream(session.localId(), stream.id(), queues);
            stream.isInLane = true;
        } catch (DataplaneException e) {
            throw new ConnectFailure("stream " + stream.id() + ": " + e.getMessage());
        }
    }

    private void requireAlive() throws ConnectFailure {
        if (session.isEnding()) {
            throw new ConnectFailure("the connection to " + session.remote() + " has ended");
        }
    }

    private void onAccepted(AcceptStream accept) throws ControlProtocolException {
        if (table.isPeersHalf(accept.stream())) {
            throw new ControlProtocolException("ACCEPT_STREAM of a stream that was not asked for");
        }
        StreamEnd stream = table.find(accept.stream());
        if (stream == null) {
            // Closed while the channel was away: the peer has not heard of it.
            session.say(new CloseStream(accept.stream(), "no such stream"));
        } else if (stream.state == StreamEnd.State.OPENING) {
            stream.said = null;
            manager.count(ControlCounter.STREAMS_OPENED);
            stream.onGranted(accept.privateData(), accept.queuePair());
        }
    }

    private void onRefused(RefuseStream refuse) throws ControlProtocolException {
        if (table.isPeersHalf(refuse.stream())) {
            throw new ControlProtocolException("REFUSE_STREAM of a stream that was not asked for");
        }
        StreamEnd stream = table.find(refuse.stream());
        if (stream != null && stream.state == StreamEnd.State.OPENING) {
            end(stream, session.remote() + " refused service \"" + stream.service() + "\": " + refuse.reason());
        }
    }

    private void onOpen(OpenStream open) throws ControlProtocolException {
        if (!table.isPeersHalf(open.stream())) {
            throw new ControlProtocolException("OPEN_STREAM with a number of our half");
        }
        StreamEnd known = table.find(open.stream());
        if (known != null) {
            if (known.state == StreamEnd.State.OPEN && known.said != null) {
                session.say(known.said);
            }
            return;
        }
        StreamListener listener = manager.services().find(open.service());
        try {
            table.requireRoom();
        } catch (ConnectFailure e) {
            refuse(open.stream(), RefuseCode.LIMIT, String.valueOf(e.getMessage()));
            return;
        }
        // MOP-CTL-20
        if (manager.isDraining()) {
            refuse(open.stream(), RefuseCode.DRAINING, "this host is shutting down");
        } else if (listener == null) {
            refuse(open.stream(), RefuseCode.UNKNOWN_SERVICE, "no service \"" + open.service() + "\" here");
        } else {
            StreamEnd stream =
                    new StreamEnd(session, open.stream(), open.service(), open.privateData(), open.queuePair());
            table.add(stream);
            if (!manager.services().run(() -> decide(listener, stream))) {
                table.remove(stream);
                refuse(open.stream(), RefuseCode.BUSY, "too many streams are being opened");
            }
        }
    }

    /** On a service thread. */
    private void decide(StreamListener listener, StreamEnd stream) {
        try {
            JsonNode data = listener.onOpen(stream);
            manager.thread().execute(nowNs -> grant(stream, data));
        } catch (ConnectFailure e) {
            String why = String.valueOf(e.getMessage());
            manager.thread().execute(nowNs -> deny(stream, RefuseCode.REFUSED_BY_SERVICE, why));
        } catch (RuntimeException e) {
            LOG.error("service {} failed on a new stream: {}", stream.service(), e.toString());
            LOG.debug("where the service failed", e);
            manager.thread().execute(nowNs -> deny(stream, RefuseCode.INTERNAL, "the service failed"));
        }
    }

    OpenedStream accept(StreamEnd stream, QueueSpec queues) throws ConnectFailure {
        requireAlive();
        if (stream.state != StreamEnd.State.OPENING || stream.isInLane) {
            throw new ConnectFailure("stream " + stream.id() + " has ended or was accepted before");
        }
        openInLane(stream, queues);
        stream.said = new AcceptStream(stream.id(), queues.queuePairNumber(), NullNode.getInstance());
        return stream;
    }

    private void grant(StreamEnd stream, JsonNode data) {
        if (stream.state != StreamEnd.State.OPENING) {
            return;
        }
        if (stream.said instanceof AcceptStream accept) {
            stream.said = new AcceptStream(accept.stream(), accept.queuePair(), data);
            manager.count(ControlCounter.STREAMS_OPENED);
            stream.onGranted(stream.peerData(), stream.peerQueuePair());
            session.say(stream.said);
        } else {
            LOG.error("service {} granted stream {} without queues", stream.service(), stream.id());
            deny(stream, RefuseCode.INTERNAL, "the service gave no queues");
        }
    }

    private void deny(StreamEnd stream, RefuseCode code, String why) {
        if (stream.state == StreamEnd.State.OPENING) {
            refuse(stream.id(), code, why);
            end(stream, why);
        }
    }

    private void refuse(int streamId, RefuseCode code, String why) {
        manager.count(ControlCounter.STREAMS_REFUSED);
        session.say(new RefuseStream(streamId, code, why));
    }

    /** The application is done with it. */
    void close(StreamEnd stream, String reason) {
        if (stream.state == StreamEnd.State.OPENING || stream.state == StreamEnd.State.OPEN) {
            CloseStream message = new CloseStream(stream.id(), reason);
            if (session.hasChannel()) {
                session.say(message);
            } else {
                unsaid.add(message);
            }
            end(stream, reason);
        }
    }

    /** MOP-CTL-17: answered by CLOSE_STREAM unless we have sent one. */
    private void onClosedByPeer(StreamEnd stream, String reason) {
        if (stream.state == StreamEnd.State.OPENING || stream.state == StreamEnd.State.OPEN) {
            session.say(new CloseStream(stream.id(), "closed"));
            end(stream, "closed by the peer: " + reason);
        }
    }

    private void end(StreamEnd stream, String reason) {
        if (stream.state == StreamEnd.State.CLOSING || stream.state == StreamEnd.State.CLOSED) {
            return;
        }
        stream.state = StreamEnd.State.CLOSING;
        stream.said = null;
        stream.endReason = reason;
        if (!stream.isInLane) {
            table.remove(stream);
            stream.finish(reason);
        } else if (!session.isEnding()) {
            manager.dataplane().closeStream(session.localId(), stream.id());
        }
    }

    void onStreamClosed(int streamId) {
        StreamEnd stream = table.find(streamId);
        if (stream != null) {
            table.remove(stream);
            stream.finish(stream.endReason);
        }
    }

    void finishAll(String reason) {
        for (StreamEnd stream : table.all()) {
            table.remove(stream);
            stream.finish(stream.state == StreamEnd.State.CLOSING ? stream.endReason : reason);
        }
    }

    /** On a new channel: what the peer may not have heard. */
    void sayAgain() {
        unsaid.forEach(session::say);
        unsaid.clear();
        for (StreamEnd stream : table.all()) {
            if (stream.said != null && stream.state != StreamEnd.State.CLOSING && !isUnanswered(stream)) {
                session.say(stream.said);
            }
        }
    }

    /** A stream of the peer's that the service has not decided about has nothing to say yet. */
    private static boolean isUnanswered(StreamEnd stream) {
        return stream.said instanceof AcceptStream && stream.state == StreamEnd.State.OPENING;
    }
}
