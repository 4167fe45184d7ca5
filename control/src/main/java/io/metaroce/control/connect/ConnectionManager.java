// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.control.connect.ControlMessage.Accept;
import io.metaroce.control.connect.ControlMessage.Close;
import io.metaroce.control.connect.ControlMessage.Connect;
import io.metaroce.control.connect.ControlMessage.Drain;
import io.metaroce.control.connect.ControlMessage.Hello;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The set of connections, as a value machine: messages, times and the application's wishes in; messages and dataplane
 * commands out. It opens no socket and reads no clock. All calls come from the control thread.
 */
final class ConnectionManager {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionManager.class);

    /** How often the numbers for metrics are renewed. */
    private static final long GAUGES_NS = 10_000_000;

    /** What the manager is built from. */
    record Parts(
            Identity identity,
            ManagerSettings settings,
            Dataplane dataplane,
            Dialer dialer,
            Services services,
            ControlThread thread,
            Random random) {}

    private final Parts parts;
    private final ConnectionSet connections;
    private final IncomingConnects incoming;
    private final ControlCounters counters = new ControlCounters();
    private final Map<ControlChannel, ChannelEnd> channels = new HashMap<>();
    private final Set<ChannelEnd> handshaking = new LinkedHashSet<>();
    private final Set<OutgoingConnect> connecting = new LinkedHashSet<>();
    private final Set<Session> detached = new LinkedHashSet<>();
    private final SessionEvents events = new SessionEvents(this);
    private long gaugesNs;
    private int usablePlanes;
    private boolean isDraining;

    ConnectionManager(Parts parts) {
        this.parts = parts;
        this.connections = new ConnectionSet(parts);
        this.incoming = new IncomingConnects(this, connections);
        this.usablePlanes = (1 << parts.dataplane.planes(0).size()) - 1;
    }

    // Channels.

    /** A peer has opened a channel. */
    void onChannelAccepted(ControlChannel channel, long nowNs) {
        count(ControlCounter.CHANNELS_ACCEPTED);
        if (handshaking.size() >= parts.settings.handshakesMax()) {
            count(ControlCounter.HANDSHAKES_REJECTED);
            channel.close();
            return;
        }
        ChannelEnd end = new ChannelEnd(channel, null, nowNs + parts.settings.handshakeTimeoutNs());
        channels.put(channel, end);
        handshaking.add(end);
        channel.send(parts.identity.hello());
    }

    ChannelEnd addDialed(ControlChannel channel, OutgoingConnect connect, long nowNs) {
        ChannelEnd end = new ChannelEnd(channel, connect, nowNs + parts.settings.handshakeTimeoutNs());
        channels.put(channel, end);
        channel.send(parts.identity.hello());
        return end;
    }

    void onMessage(ControlChannel channel, ControlMessage message, long nowNs) {
        ChannelEnd end = channels.get(channel);
        if (end == null) {
            return;
        }
        try {
            if (message instanceof Hello hello) {
                onHello(end, hello, nowNs);
            } else if (end.hello == null) {
                throw new ControlProtocolException("HELLO expected first");
            } else if (end.session != null) {
                end.session.onMessage(message, nowNs);
            } else if (end.connect != null) {
                end.connect.onMessage(message, nowNs);
            } else if (message instanceof Connect connect) {
                handshaking.remove(end);
                incoming.onConnect(end, connect, nowNs);
            } else {
                throw new ControlProtocolException("CONNECT expected");
            }
        } catch (ControlProtocolException e) {
            onProtocolError(channel, e, nowNs);
        }
    }

    private void onHello(ChannelEnd end, Hello hello, long nowNs) throws ControlProtocolException {
        if (end.hello != null) {
            throw new ControlProtocolException("a second HELLO");
        }
        end.hello = hello;
        // MOP-CTL-6
        String mismatch = Identity.mismatch(hello);
        if (end.connect != null) {
            end.connect.onHello(hello, nowNs);
        } else if (mismatch != null) {
            LOG.warn("peer {}: {}", end.channel.remote(), mismatch);
            end.channel.send(new Close(CloseCode.VERSION, mismatch));
            dropChannel(end);
        }
    }

    /** The peer broke the protocol, on a channel that may serve a connection. */
    void onProtocolError(ControlChannel channel, ControlProtocolException error, long nowNs) {
        ChannelEnd end = channels.get(channel);
        if (end == null) {
            return;
        }
        count(ControlCounter.PROTOCOL_ERRORS);
        String why = String.valueOf(error.getMessage());
        LOG.debug("peer {} broke the control protocol: {}", channel.remote(), why);
        if (end.session != null) {
            end.session.end(CloseCode.PROTOCOL, "the peer broke the control protocol: " + why, true, nowNs);
        } else if (end.connect != null) {
            end.connect.failTelling(CloseCode.PROTOCOL, why, channel.remote() + ": " + why, nowNs);
        } else {
            channel.send(new Close(CloseCode.PROTOCOL, why));
            dropChannel(end);
        }
    }

    void onChannelLost(ControlChannel channel, String why, long nowNs) {
        ChannelEnd end = channels.remove(channel);
        if (end == null) {
            return;
        }
        handshaking.remove(end);
        if (end.session != null) {
            end.session.onChannelLost(why, nowNs);
        } else if (end.connect != null) {
            end.connect.onChannelLost(why, nowNs);
        }
    }

    /** Closes a channel that nobody needs any more. */
    void dropChannel(ChannelEnd end) {
        handshaking.remove(end);
        if (channels.remove(end.channel) != null) {
            end.channel.close();
        }
    }

    // Connections that the application asks for.

    /** Hears how a connect went, on the control thread. */
    interface ConnectListener {
        void onConnected(PeerConnection connection);

        void onFailed(String why);

        void onWaiting(String why);
    }

    /** Starts to connect; the returned object can be failed to give up early. */
    @Nullable
    OutgoingConnect connect(InetSocketAddress address, long timeoutNs, ConnectListener listener, long nowNs) {
        ConnectionSet.Reservation reservation;
        try {
            if (isDraining) {
                throw new ConnectFailure("this host is shutting down");
            }
            reservation = connections.reserve(nowNs);
        } catch (ConnectFailure e) {
            listener.onFailed(String.valueOf(e.getMessage()));
            return null;
        }
        OutgoingConnect connect = new OutgoingConnect(
                this,
                new OutgoingConnect.Target(address, parts.random.nextLong(), false, reservation),
                nowNs,
                nowNs + timeoutNs,
                new FirstConnect(this, address, reservation, listener));
        connecting.add(connect);
        connect.onTick(nowNs);
        return connect;
    }

    /** The peer has granted a connection of ours. */
    PeerConnection establishDialed(
            ChannelEnd end, Accept accept, ConnectionSet.Reservation reservation, InetSocketAddress address)
            throws ConnectFailure, DataplaneException {
        parts.settings.peers().check(accept.offer());
        Limits expected = Negotiation.limits(connections.offer(reservation, end.channel), accept.offer());
        if (!expected.equals(accept.limits())) {
            throw new ConnectFailure("the peer decided on limits that are not the smaller of both sides");
        }
        Session session = connections.establish(this, end, reservation, accept, accept.offer(), address);
        onEstablished(session);
        return session;
    }

    void onEstablished(Session session) {
        count(ControlCounter.CONNECTIONS_OPENED);
    }

    void release(ConnectionSet.Reservation reservation, long nowNs) {
        connections.release(reservation, nowNs);
    }

    Offer offer(ConnectionSet.Reservation reservation, ControlChannel channel) {
        return connections.offer(reservation, channel);
    }

    OutgoingConnect redial(Session session, long nowNs) {
        Session.Origin origin = session.origin();
        OutgoingConnect connect = new OutgoingConnect(
                this,
                new OutgoingConnect.Target(
                        Objects.requireNonNull(origin.dialed()), origin.answer().attempt(), true, origin.reservation()),
                nowNs,
                Long.MAX_VALUE,
                session);
        connecting.add(connect);
        return connect;
    }

    void dial(InetSocketAddress address, OutgoingConnect connect) {
        parts.dialer.dial(address, connect);
    }

    // Time, and the end.

    /** Called at least every few milliseconds. */
    void onTick(long nowNs) {
        for (ChannelEnd end : new ArrayList<>(handshaking)) {
            // MOP-CTL-4
            if (nowNs - end.deadlineNs >= 0) {
                count(ControlCounter.HANDSHAKES_TIMED_OUT);
                end.channel.send(new Close(CloseCode.HANDSHAKE, "no CONNECT in time"));
                dropChannel(end);
            }
        }
        for (OutgoingConnect connect : new ArrayList<>(connecting)) {
            connect.onTick(nowNs);
            if (connect.isEnded()) {
                connecting.remove(connect);
            }
        }
        for (Session session : new ArrayList<>(detached)) {
            session.onTick(nowNs);
        }
        parts.dataplane.pollEvents(events.at(nowNs));
        if (nowNs - gaugesNs >= GAUGES_NS) {
            gaugesNs = nowNs;
            counters.gauges(new ControlEndpoint.Gauges(connectionCount(), streamCount(), handshakeCount()));
        }
    }

    void onDetached(Session session) {
        detached.add(session);
    }

    void onReattached(Session session) {
        detached.remove(session);
    }

    @Nullable
    Session session(int localId) {
        return connections.find(localId);
    }

    void onFinished(Session session, long nowNs) {
        session.onFinished(nowNs);
        detached.remove(session);
        connections.remove(session, nowNs);
        count(ControlCounter.CONNECTIONS_CLOSED);
    }

    void onPlaneLink(int plane, boolean isUp) {
        int before = usablePlanes;
        usablePlanes = isUp ? before | 1 << plane : before & ~(1 << plane);
        if (usablePlanes != before) {
            LOG.warn("plane {} is {}", plane, isUp ? "up" : "down");
        }
    }

    /** From now on nothing new; peers are told. */
    void drain(String reason) {
        isDraining = true;
        connections.all().forEach(session -> session.say(new Drain(reason)));
    }

    /** Ends every connection and every try; finished when {@link #connectionCount} is 0. */
    void closeAll(String reason, long nowNs) {
        isDraining = true;
        for (OutgoingConnect connect : new ArrayList<>(connecting)) {
            connect.fail(CloseCode.SHUTDOWN, reason, nowNs);
        }
        connecting.clear();
        for (Session session : connections.all()) {
            session.end(CloseCode.SHUTDOWN, reason, true, nowNs);
        }
        for (ChannelEnd end : new ArrayList<>(channels.values())) {
            dropChannel(end);
        }
    }

    // Small questions.

    boolean isDraining() {
        return isDraining;
    }

    int connectionCount() {
        return connections.count();
    }

    int streamCount() {
        return connections.all().stream().mapToInt(Session::streamCount).sum();
    }

    int handshakeCount() {
        return handshaking.size();
    }

    int channelCount() {
        return channels.size();
    }

    int usedIds() {
        return connections.usedIds();
    }

    long randomBelow(long bound) {
        return bound <= 0 ? 0 : Math.floorMod(parts.random.nextLong(), bound);
    }

    void count(ControlCounter counter) {
        counters.increment(counter);
    }

    ControlCounters counters() {
        return counters;
    }

    ManagerSettings settings() {
        return parts.settings;
    }

    Dataplane dataplane() {
        return parts.dataplane;
    }

    Services services() {
        return parts.services;
    }

    ControlThread thread() {
        return parts.thread;
    }
}
