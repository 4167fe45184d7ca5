// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.queue.CompletionStatus;
import io.metaroce.transport.path.PathReason;
import io.metaroce.transport.path.PathState;

/**
 * What a connection tells its owner, as it happens, on the owner's thread. Implementations neither block nor call back.
 */
public interface ConnectionListener {
    /** Hears nothing. */
    ConnectionListener NONE = new ConnectionListener() {};

    /** The path MTU is proven and data can flow. */
    default void onReady(int connectionId, int payloadBytes) {}

    default void onPathChanged(int connectionId, int pathId, PathState to, PathReason reason) {}

    /**
     * Our own planes changed, and the peer is being told in packets: the control channel says the same (MOP-PATH-24).
     *
     * @param sequence of the announcement
     * @param usable bit i if we can receive on plane i
     */
    default void onPlanesAnnounced(int connectionId, int sequence, int usable) {}

    /** The stream is in error and its requests are being flushed; other streams go on. */
    default void onStreamFailed(int connectionId, int streamId, CompletionStatus status) {}

    /**
     * A stream closed by its owner has delivered its last completion: its rings are not touched any more. Not told of
     * the streams of a lost connection, which end with it.
     */
    default void onStreamClosed(int connectionId, int streamId) {}

    /** The connection is lost; all its requests complete with errors. */
    default void onLost(int connectionId, LossReason reason) {}
}
