// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaroce.counters.ConnectionCounters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A connection to a peer. Safe for any thread. */
public interface PeerConnection {
    /** Our id of the connection. */
    int localId();

    /** The peer's name for itself; not a proof of anything. */
    String peerNode();

    /** The peer's end of the control channel, for messages. */
    String remote();

    /** Bounds in force. */
    Limits limits();

    /** How the peer is reached. */
    List<PlaneOffer> peerPlanes();

    /** Counters of the connection and its paths; numbers stand still after the end. */
    ConnectionCounters counters();

    /** Completes with the payload in bytes once probes have proven it; exceptionally if the connection ends before. */
    CompletableFuture<Integer> ready();

    /**
     * What people should know of a payload that probes have proven.
     *
     * @return one line when longer packets vanish between the two hosts; else empty
     */
    default String blackHole(int provenBytes) {
        int expectedBytes = limits().payloadBytesMax();
        return provenBytes >= expectedBytes
                ? ""
                : "packets of more than " + provenBytes + " bytes of payload vanish on the way to " + remote()
                        + " although both ends' interfaces take " + expectedBytes + ": check the MTU in between";
    }

    /**
     * Opens a stream to a service of the peer and waits for the answer.
     *
     * @throws ConnectFailure if the peer refuses, does not answer in time, or the connection ends
     */
    OpenedStream openStream(String service, JsonNode privateData, QueueSpec queues, Duration timeout)
            throws ConnectFailure;

    /** Ends the connection; pending requests complete as flushed. Returns at once; see {@link #closed}. */
    void close(String reason);

    /** Completes with the reason when the connection has ended and none of its memory is touched any more. */
    CompletableFuture<String> closed();
}
