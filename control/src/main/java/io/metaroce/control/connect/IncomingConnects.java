// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.control.connect.ControlMessage.Accept;
import io.metaroce.control.connect.ControlMessage.Connect;
import io.metaroce.control.connect.ControlMessage.Refuse;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the CONNECT of peers. Control thread only. */
final class IncomingConnects {
    private static final Logger LOG = LoggerFactory.getLogger(IncomingConnects.class);

    private final ConnectionManager manager;
    private final ConnectionSet connections;

    IncomingConnects(ConnectionManager manager, ConnectionSet connections) {
        this.manager = manager;
        this.connections = connections;
    }

    /** MOP-CTL-8, MOP-CTL-12. B06, B08: a repeated CONNECT, on the same channel or another, finds what the first has led to. */
    void onConnect(ChannelEnd end, Connect connect, long nowNs) {
        long incarnation = Objects.requireNonNull(end.hello).incarnation();
        Session known = connections.ofAttempt(incarnation, connect.attempt());
        if (known != null) {
            known.attach(end);
            return;
        }
        connections.endRestarted(connect.offer(), incarnation, nowNs);
        if (connect.resume()) {
            refuse(end, connect, RefuseCode.UNKNOWN_CONNECTION, "the connection has ended here");
        } else if (manager.isDraining()) {
            refuse(end, connect, RefuseCode.DRAINING, "this host is shutting down");
        } else {
            accept(end, connect, nowNs);
        }
    }

    private void accept(ChannelEnd end, Connect connect, long nowNs) {
        ConnectionSet.Reservation reservation;
        try {
            reservation = connections.reserve(nowNs);
        } catch (ConnectFailure e) {
            refuse(end, connect, RefuseCode.LIMIT, String.valueOf(e.getMessage()));
            return;
        }
        try {
            manager.settings().peers().check(connect.offer());
            Offer offer = connections.offer(reservation, end.channel);
            Limits limits = Negotiation.limits(offer, connect.offer());
            Accept answer = new Accept(connect.attempt(), offer, limits);
            Session session = connections.establish(manager, end, reservation, answer, connect.offer(), null);
            // MOP-CTL-11: the lane has it by now.
            end.channel.send(answer);
            manager.onEstablished(session);
        } catch (ConnectFailure e) {
            connections.release(reservation, nowNs);
            refuse(end, connect, RefuseCode.INCOMPATIBLE, String.valueOf(e.getMessage()));
        } catch (DataplaneException e) {
            connections.release(reservation, nowNs);
            refuse(end, connect, RefuseCode.INTERNAL, String.valueOf(e.getMessage()));
        }
    }

    private void refuse(ChannelEnd end, Connect connect, RefuseCode code, String why) {
        manager.count(ControlCounter.CONNECTIONS_REFUSED);
        LOG.info("peer {} refused: {}", end.channel.remote(), why);
        end.channel.send(new Refuse(connect.attempt(), code, why));
        manager.dropChannel(end);
    }
}
