// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Brings the dataplane's events to the connections they are about. */
final class SessionEvents implements DataplaneListener {
    private static final Logger LOG = LoggerFactory.getLogger(SessionEvents.class);

    private final ConnectionManager manager;
    private long nowNs;

    SessionEvents(ConnectionManager manager) {
        this.manager = manager;
    }

    SessionEvents at(long newNowNs) {
        nowNs = newNowNs;
        return this;
    }

    private void of(int localId, Consumer<Session> action) {
        Session session = manager.session(localId);
        if (session != null) {
            action.accept(session);
        }
    }

    @Override
    public void onReady(int localId, int payloadBytes) {
        of(localId, session -> session.onReady(payloadBytes));
    }

    @Override
    public void onPathChanged(int localId, int pathId, String state, String reason) {
        // Congestion comes and goes many times a second; everything else is worth a line.
        Level level = reason.equals("congestion") ? Level.DEBUG : Level.INFO;
        of(localId, session -> LOG.atLevel(level).log("{}: path {} is {} ({})", session, pathId, state, reason));
    }

    @Override
    public void onStreamFailed(int localId, int streamId, String status) {
        of(localId, session -> session.onStreamFailed(streamId, status));
    }

    @Override
    public void onStreamClosed(int localId, int streamId) {
        of(localId, session -> session.onStreamClosed(streamId));
    }

    @Override
    public void onConnectionLost(int localId, String meaning) {
        of(localId, session -> session.onLost(meaning, nowNs));
    }

    @Override
    public void onConnectionFinished(int localId) {
        of(localId, session -> manager.onFinished(session, nowNs));
    }

    @Override
    public void onPlanesAnnounced(int localId, long sequence, int usable) {
        of(localId, session -> session.onPlanesAnnounced(sequence, usable));
    }

    @Override
    public void onPlaneLink(int plane, boolean isUp) {
        manager.onPlaneLink(plane, isUp);
    }
}
