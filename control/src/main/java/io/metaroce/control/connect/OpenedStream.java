// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.CompletableFuture;

/** A stream that both sides have. Safe for any thread. */
public interface OpenedStream {
    /** Number of the stream inside its connection, the same on both sides. */
    int id();

    PeerConnection connection();

    /** What the peer sent along when it asked or granted. */
    JsonNode peerData();

    int peerQueuePair();

    /** Ends the stream: pending requests complete as flushed. Returns at once; see {@link #closed}. */
    void close();

    /** Completes with the reason when the stream has ended and its rings are not touched any more. */
    CompletableFuture<String> closed();
}
