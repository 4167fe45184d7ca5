// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.queue.CompletionStatus;
import io.metaroce.transport.connection.ConnectionListener;
import io.metaroce.transport.connection.LossReason;
import io.metaroce.transport.path.PathReason;
import io.metaroce.transport.path.PathState;

/** Turns what connections tell into events; the lane's thread. */
final class EventReporter implements ConnectionListener {
    private final LaneEvents events;

    EventReporter(LaneEvents events) {
        this.events = events;
    }

    @Override
    public void onReady(int connectionId, int payloadBytes) {
        events.stage(LaneEvent.Kind.READY).connection(connectionId).value(payloadBytes);
        events.publish();
    }

    @Override
    public void onPathChanged(int connectionId, int pathId, PathState to, PathReason reason) {
        events.stage(LaneEvent.Kind.PATH_CHANGED)
                .connection(connectionId)
                .path(pathId)
                .state(Words.of(to))
                .reason(Words.of(reason), "");
        events.publish();
    }

    @Override
    public void onPlanesAnnounced(int connectionId, int sequence, int usable) {
        events.stage(LaneEvent.Kind.PLANES_ANNOUNCED)
                .connection(connectionId)
                .value(Integer.toUnsignedLong(sequence) << Byte.SIZE | usable);
        events.publish();
    }

    @Override
    public void onStreamFailed(int connectionId, int streamId, CompletionStatus status) {
        events.stage(LaneEvent.Kind.STREAM_FAILED).connection(connectionId).stream(streamId)
                .reason(Words.of(status), "");
        events.publish();
    }

    @Override
    public void onStreamClosed(int connectionId, int streamId) {
        events.stage(LaneEvent.Kind.STREAM_CLOSED).connection(connectionId).stream(streamId);
        events.publish();
    }

    @Override
    public void onLost(int connectionId, LossReason reason) {
        events.stage(LaneEvent.Kind.CONNECTION_LOST)
                .connection(connectionId)
                .reason(Words.of(reason), reason.meaning());
        events.publish();
    }
}
