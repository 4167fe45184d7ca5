// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.metaroce.queue.SlotRing;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;

/** Streams whose queues are nowhere. */
final class FakeStreams {
    private static final int CAPACITY = 4;
    private static final ByteBuffer MEMORY = BufferUtil.allocateDirectAligned(SlotRing.bytesFor(CAPACITY), 64);
    static final QueueSpec QUEUES = queues();

    private FakeStreams() {}

    private static QueueSpec queues() {
        long address = BufferUtil.address(MEMORY);
        SlotRing.format(address, CAPACITY);
        SlotRing ring = new SlotRing(address, SlotRing.bytesFor(CAPACITY));
        return new QueueSpec(7, 1, ring, ring, ring, ring);
    }

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
