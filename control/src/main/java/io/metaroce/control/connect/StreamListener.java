// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;

/** A service: decides about streams that peers ask for. Called on a service thread, which it may block for a while. */
@FunctionalInterface
public interface StreamListener {
    /**
     * A peer asks for a stream. To grant it, call {@link IncomingStream#accept}, post receives, and return.
     *
     * @return private data for the peer, such as addresses and keys of registered memory
     * @throws ConnectFailure to refuse; the message goes to the peer
     */
    JsonNode onOpen(IncomingStream stream) throws ConnectFailure;
}
