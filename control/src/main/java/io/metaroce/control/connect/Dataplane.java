// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.counters.ConnectionCounters;
import java.util.List;

/**
 * What the control channel needs of the lanes. Called by the control thread only. A method that changes something returns
 * when the lane has carried it out, so that a packet that answers the next message finds it done.
 */
public interface Dataplane {
    /** Lanes, at least 1; a connection belongs to one. */
    int laneCount();

    /** How a lane is reached, in plane order; the address may be the wildcard, and a scope is left out. */
    List<PlaneOffer> planes(int lane);

    /**
     * Adds a connection and starts its paths.
     *
     * @return where its counters stand until {@link DataplaneListener#onConnectionFinished}
     * @throws DataplaneException if the lane refuses, with the reason
     */
    ConnectionCounters addConnection(ConnectionAttributes connection) throws DataplaneException;

    /** Ends a connection; its end is told by an event. */
    void closeConnection(int localId);

    /** Adds a stream to a connection. */
    void openStream(int localId, int streamId, QueueSpec queues) throws DataplaneException;

    /** Flushes and ends a stream; its end is told by an event. */
    void closeStream(int localId, int streamId);

    /** The peer said which of its planes it can use, bit i for plane i. */
    void onPeerPlanes(int localId, long sequence, int usable);

    /** Hands what happened since the last call to the listener; returns how much that was. */
    int pollEvents(DataplaneListener listener);
}
