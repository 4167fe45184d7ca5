// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;

/** A stream that a peer asks for, not yet granted. */
public interface IncomingStream {
    PeerConnection connection();

    String service();

    /** What the peer sent along. */
    JsonNode peerData();

    int peerQueuePair();

    /**
     * Opens our end with these queues. The peer hears of it when {@link StreamListener#onOpen} returns; receives posted
     * before that are there for its first message.
     *
     * @throws ConnectFailure if the lane refuses, or the connection has ended meanwhile
     */
    OpenedStream accept(QueueSpec queues) throws ConnectFailure;
}
