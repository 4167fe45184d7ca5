// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.control.connect.ControlMessage.Accept;
import io.metaroce.control.connect.ControlMessage.Hello;
import io.metaroce.counters.ConnectionCounters;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The established connections: their ids, their lanes, who asked for them. Control thread only. */
final class ConnectionSet {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionSet.class);

    /** A place for one more connection. */
    record Reservation(int localId, int lane) {}

    private record AttemptKey(long incarnation, long attempt) {}

    private final ConnectionManager.Parts parts;
    private final ConnectionIds ids;
    private final Map<Integer, Session> byLocalId = new HashMap<>();
    private final Map<AttemptKey, Session> incoming = new HashMap<>();
    private final int[] connectionsOfLane;

    ConnectionSet(ConnectionManager.Parts parts) {
        this.parts = parts;
        this.ids = new ConnectionIds(parts.settings().connectionsMax(), parts.random());
        this.connectionsOfLane = new int[parts.dataplane().laneCount()];
    }

    /** An id, and the lane with the fewest connections. */
    Reservation reserve(long nowNs) throws ConnectFailure {
        int best = 0;
        for (int lane = 1; lane < connectionsOfLane.length; lane++) {
            if (connectionsOfLane[lane] < connectionsOfLane[best]) {
                best = lane;
            }
        }
        int localId = ids.allocate(nowNs);
        connectionsOfLane[best]++;
        return new Reservation(localId, best);
    }

    void release(Reservation reservation, long nowNs) {
        ids.release(reservation.localId(), nowNs);
        connectionsOfLane[reservation.lane()]--;
    }

    /** What we bring to a connection, as seen through a channel. */
    Offer offer(Reservation reservation, ControlChannel channel) {
        return new Offer(
                Integer.toUnsignedLong(reservation.localId()),
                Negotiation.announced(parts.dataplane().planes(reservation.lane()), channel.localAddress()),
                parts.settings().limits(),
                parts.settings().incastDegree(),
                parts.settings().operations(),
                Offer.CRC32C);
    }

    /** A granted connection: into the lane first, then into the set. */
    Session establish(
            ConnectionManager manager,
            ChannelEnd end,
            Reservation reservation,
            Accept answer,
            Offer theirs,
            @Nullable InetSocketAddress dialed)
            throws DataplaneException {
        Hello hello = Objects.requireNonNull(end.hello);
        List<PlaneOffer> planes =
                Negotiation.planesInForce(parts.dataplane().planes(reservation.lane()), theirs.planes());
        ConnectionAttributes attributes = new ConnectionAttributes(
                reservation.localId(),
                (int) theirs.connectionId(),
                reservation.lane(),
                planes,
                answer.limits(),
                Negotiation.inFlightBytesMax(theirs),
                theirs.incastDegree());
        ConnectionCounters counters = parts.dataplane().addConnection(attributes);
        Session.Origin origin =
                new Session.Origin(answer, attributes, hello.node(), hello.incarnation(), reservation, dialed);
        Session session = new Session(manager, origin, counters, end);
        byLocalId.put(session.localId(), session);
        if (dialed == null) {
            incoming.put(keyOf(session), session);
        }
        LOG.info(
                "{}: established, {} planes, {} paths, payload up to {} bytes, at most {} bytes in flight",
                session,
                planes.size(),
                answer.limits().paths(),
                answer.limits().payloadBytesMax(),
                attributes.inFlightBytesMax());
        return session;
    }

    /** The connection that a peer's attempt has led to already, if it lives. */
    @Nullable
    Session ofAttempt(long incarnation, long attempt) {
        Session session = incoming.get(new AttemptKey(incarnation, attempt));
        return session == null || session.isEnding() ? null : session;
    }

    /** MOP-CTL-7. A UDP endpoint has one owner: a connection to the same endpoint but another process has lost its peer. */
    void endRestarted(Offer offer, long incarnation, long nowNs) {
        PlaneOffer first = offer.planes().get(0);
        for (Session session : all()) {
            PlaneOffer theirs = session.peerPlanes().get(0);
            boolean sameEndpoint = theirs.address().equals(first.address()) && theirs.udpPort() == first.udpPort();
            if (sameEndpoint && session.origin().incarnation() != incarnation) {
                session.end(CloseCode.RESTARTED, "the peer has restarted", false, nowNs);
            }
        }
    }

    void remove(Session session, long nowNs) {
        if (byLocalId.remove(session.localId(), session)) {
            incoming.remove(keyOf(session), session);
            release(session.origin().reservation(), nowNs);
        }
    }

    private static AttemptKey keyOf(Session session) {
        return new AttemptKey(
                session.origin().incarnation(), session.origin().answer().attempt());
    }

    @Nullable
    Session find(int localId) {
        return byLocalId.get(localId);
    }

    /** The connections of now; a copy, because ending one changes the set. */
    List<Session> all() {
        return new ArrayList<>(byLocalId.values());
    }

    int count() {
        return byLocalId.size();
    }

    int usedIds() {
        return ids.count();
    }
}
