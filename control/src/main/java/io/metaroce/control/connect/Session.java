// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaroce.control.connect.ControlMessage.Accept;
import io.metaroce.control.connect.ControlMessage.Close;
import io.metaroce.control.connect.ControlMessage.Connect;
import io.metaroce.control.connect.ControlMessage.Drain;
import io.metaroce.control.connect.ControlMessage.PlaneStatus;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One established connection: its channel while there is one, and its end. The loss of the channel ends nothing while the
 * peer's packets arrive; the side that opened the connection dials again. Control thread only, but for the public methods.
 */
final class Session implements PeerConnection, OutgoingConnect.Outcome {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** How a connection came to be; constant. */
    record Origin(
            Accept answer,
            ConnectionAttributes attributes,
            String node,
            long incarnation,
            ConnectionSet.Reservation reservation,
            @Nullable InetSocketAddress dialed) {}

    private final ConnectionManager manager;
    private final Origin origin;
    /** Replaced by a copy at the end, since the memory of the dataplane then serves another connection. */
    private volatile ConnectionCounters counters;

    private final SessionStreams streams;
    private final String remote;
    private final CompletableFuture<Integer> ready = new CompletableFuture<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();

    private @Nullable ChannelEnd end;
    private @Nullable OutgoingConnect redial;
    private boolean isEnding;
    private String endReason = "";
    private long packetsSeen;
    private long packetsSeenNs;
    private @Nullable PlaneStatus planes;
    private boolean peerDrains;

    Session(ConnectionManager manager, Origin origin, ConnectionCounters counters, ChannelEnd end) {
        this.manager = manager;
        this.origin = origin;
        this.counters = counters;
        this.streams = new SessionStreams(
                this,
                manager,
                new StreamTable(
                        origin.dialed() != null, origin.attributes().limits().streamsMax()));
        this.remote = end.channel.remote();
        this.end = end;
        end.session = this;
    }

    Origin origin() {
        return origin;
    }

    boolean isEnding() {
        return isEnding;
    }

    boolean peerDrains() {
        return peerDrains;
    }

    SessionStreams streams() {
        return streams;
    }

    int streamCount() {
        return streams.count();
    }

    /** Sends if there is a channel; what matters on a new channel is said again there. */
    void say(ControlMessage message) {
        if (end != null) {
            end.channel.send(message);
        }
    }

    /** MOP-PATH-24, MOP-CTL-18: what the packets say, with the same sequence. */
    void onPlanesAnnounced(long sequence, int usable) {
        planes = new PlaneStatus(sequence, usable);
        say(planes);
    }

    void onMessage(ControlMessage message, long nowNs) throws ControlProtocolException {
        if (message instanceof Connect connect) {
            onRepeatedConnect(connect);
        } else if (message instanceof PlaneStatus status) {
            manager.dataplane().onPeerPlanes(localId(), status.sequence(), status.usable());
        } else if (message instanceof Drain drain) {
            peerDrains = true;
            LOG.info("{}: the peer drains: {}", this, drain.reason());
        } else if (message instanceof Close close) {
            // MOP-CTL-21: answered by CLOSE.
            end(close.code(), "closed by the peer: " + close.reason(), true, nowNs);
        } else if (message instanceof Accept) {
            LOG.debug("{}: ACCEPT repeated", this);
        } else {
            streams.onMessage(message);
        }
    }

    /** B06: a CONNECT that comes twice is answered with the same ACCEPT and changes nothing. */
    private void onRepeatedConnect(Connect connect) throws ControlProtocolException {
        if (connect.attempt() != origin.answer().attempt()) {
            throw new ControlProtocolException("a second CONNECT on one channel");
        }
        say(origin.answer());
    }

    /** The peer has opened another channel for this connection: it takes the place of the one before. */
    void attach(ChannelEnd newEnd) {
        if (end != null && end != newEnd) {
            end.session = null;
            manager.dropChannel(end);
        }
        end = newEnd;
        newEnd.session = this;
        manager.onReattached(this);
        if (origin.dialed() == null) {
            say(origin.answer());
        }
        streams.sayAgain();
        if (planes != null) {
            say(planes);
        }
        LOG.info("{}: control channel is back", this);
    }

    void onChannelLost(String why, long nowNs) {
        end = null;
        if (isEnding) {
            return;
        }
        manager.count(ControlCounter.CHANNELS_LOST);
        LOG.warn("{}: control channel lost ({}); data goes on", this, why);
        packetsSeen = counters.get(ConnectionCounter.RX_PACKETS);
        packetsSeenNs = nowNs;
        manager.onDetached(this);
        if (origin.dialed() != null) {
            redial = manager.redial(this, nowNs);
        }
    }

    /** MOP-CTL-13, MOP-CTL-19. Called while there is no channel: nobody else would notice that a peer without work outstanding is gone. */
    void onTick(long nowNs) {
        long packets = counters.get(ConnectionCounter.RX_PACKETS);
        if (packets != packetsSeen) {
            packetsSeen = packets;
            packetsSeenNs = nowNs;
        }
        long silentNs = nowNs - packetsSeenNs;
        if (silentNs >= manager.settings().connectionTimeoutNs()) {
            end(
                    CloseCode.LOST,
                    "the control channel was lost and no packet arrived for " + silentNs / 1_000_000 + " ms",
                    false,
                    nowNs);
        }
    }

    @Override
    public void onAccepted(ChannelEnd newEnd, Accept accept, long nowNs) {
        redial = null;
        boolean same = newEnd.hello != null
                && newEnd.hello.incarnation() == origin.incarnation()
                && (int) accept.offer().connectionId() == origin.attributes().remoteId();
        if (isEnding || !same) {
            manager.dropChannel(newEnd);
            end(CloseCode.RESTARTED, "the peer is another process than before", false, nowNs);
        } else {
            attach(newEnd);
        }
    }

    @Override
    public void onFailed(CloseCode code, String why, long nowNs) {
        redial = null;
        end(code, why, false, nowNs);
    }

    @Override
    public void onWaiting(String why) {
        LOG.info("{}: {}", this, why);
    }

    void end(CloseCode code, String reason, boolean tellPeer, long nowNs) {
        if (isEnding) {
            return;
        }
        isEnding = true;
        endReason = reason;
        if (code == CloseCode.NORMAL || code == CloseCode.SHUTDOWN) {
            LOG.info("{}: ended: {}", this, reason);
        } else {
            manager.count(ControlCounter.CONNECTIONS_LOST);
            LOG.warn("{}: lost: {}", this, reason);
        }
        if (tellPeer) {
            say(new Close(code, reason));
        }
        if (end != null) {
            manager.dropChannel(end);
            end = null;
        }
        if (redial != null) {
            redial.cancel();
        }
        manager.dataplane().closeConnection(localId());
    }

    void onLost(String meaning, long nowNs) {
        end(CloseCode.LOST, meaning, true, nowNs);
    }

    /** The lane has let go of everything. */
    void onFinished(long nowNs) {
        counters = counters.copy();
        if (!isEnding) {
            end(CloseCode.LOST, "the lane ended it", true, nowNs);
        }
        streams.finishAll(endReason);
        ready.completeExceptionally(new ConnectFailure(endReason));
        closed.complete(endReason);
    }

    void onReady(int payloadBytes) {
        LOG.info("{}: ready, payload {} bytes", this, payloadBytes);
        String blackHole = blackHole(payloadBytes);
        if (!blackHole.isEmpty()) {
            LOG.warn("{}: {}", this, blackHole);
        }
        ready.complete(payloadBytes);
    }

    void onStreamClosed(int streamId) {
        streams.onStreamClosed(streamId);
    }

    void onStreamFailed(int streamId, String status) {
        LOG.warn("{}: stream {} failed: {}; other streams go on", this, streamId, status);
    }

    OpenedStream acceptStream(StreamEnd stream, QueueSpec queues) throws ConnectFailure {
        return manager.thread().call(nowNs -> streams.accept(stream, queues));
    }

    void closeStream(StreamEnd stream) {
        boolean queued = manager.thread().execute(nowNs -> streams.close(stream, "closed"));
        if (!queued) {
            stream.closed().complete("the node is closed");
        }
    }

    boolean hasChannel() {
        return end != null;
    }

    @Override
    public OpenedStream openStream(String service, JsonNode privateData, QueueSpec queues, Duration timeout)
            throws ConnectFailure {
        return streams.open(service, privateData, queues, timeout);
    }

    @Override
    public int localId() {
        return origin.attributes().localId();
    }

    @Override
    public String peerNode() {
        return origin.node();
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public Limits limits() {
        return origin.attributes().limits();
    }

    @Override
    public List<PlaneOffer> peerPlanes() {
        return origin.attributes().planes();
    }

    @Override
    public ConnectionCounters counters() {
        return counters;
    }

    @Override
    public CompletableFuture<Integer> ready() {
        return ready;
    }

    @Override
    public void close(String reason) {
        if (!manager.thread().execute(nowNs -> end(CloseCode.NORMAL, reason, true, nowNs))) {
            closed.complete("the node is closed");
        }
    }

    @Override
    public CompletableFuture<String> closed() {
        return closed;
    }

    @Override
    public String toString() {
        return "connection " + Integer.toUnsignedString(localId()) + " to " + origin.node() + " (" + remote + ")";
    }
}
