// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** Streams whose queues are nowhere. */
final class FakeStreams {
    private static final QueueSpec.Ring NOWHERE = new QueueSpec.Ring(4096, 4096);
    static final QueueSpec QUEUES = new QueueSpec(7, 1, NOWHERE, NOWHERE, NOWHERE, NOWHERE);

    private FakeStreams() {}

    static StreamEnd ask(Session session, String service) {
        try {
            return session.streams().ask(service, NullNode.getInstance(), QUEUES);
        } catch (ConnectFailure e) {
            throw new AssertionError(e);
        }
    }

    static JsonNode grant(IncomingStream stream) throws ConnectFailure {
        stream.accept(QUEUES);
        return TextNode.valueOf("granted " + stream.service());
    }

    static String failureOf(StreamEnd stream) {
        return String.valueOf(stream.opened
                .handle((opened, failure) -> failure == null ? "" : failure.getMessage())
                .getNow("pending"));
    }
}
