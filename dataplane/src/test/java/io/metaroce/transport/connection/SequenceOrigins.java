// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.recovery.ConnectionSequences;
import io.metaroce.transport.recovery.SentPackets;
import io.metaroce.transport.recovery.SequenceWindow;
import io.metaroce.transport.stream.Stream;
import java.lang.reflect.Field;

/**
 * Sets where the sequences of a fresh connection stand, as if it had lived long: the way to zero would take 2^32 packets.
 * By reflection, so that the transport itself has no door for it.
 */
final class SequenceOrigins {
    private SequenceOrigins() {}

    /** Outbound: the next path, connection and message sequence. */
    static void outbound(Connection connection, Words at) throws ReflectiveOperationException {
        ConnectionState state = (ConnectionState) get(connection, "state");
        int csn = at.sequence("csn", 0);
        set(state.sent, "next", csn);
        set(state.sent, "peerNext", csn);
        ((SequenceWindow) get(state.sent, "delivered")).reset(csn);
        PathSender[] paths = (PathSender[]) get(get(connection, "paths"), "paths");
        for (PathSender path : paths) {
            SentPackets sent = path.sent;
            set(sent, "base", at.sequence("seq", 0));
            set(sent, "next", at.sequence("seq", 0));
        }
        Stream stream = java.util.Objects.requireNonNull(state.streams.at(0));
        for (String field : new String[] {"completed", "cutting", "posted"}) {
            set(stream.requester(), field, at.sequence("msn", 0));
        }
        assert ConnectionSequences.class == state.sent.getClass();
    }

    /** Inbound: what is expected next. */
    static void inbound(Connection connection, int paths, Words at) throws ReflectiveOperationException {
        ConnectionState state = (ConnectionState) get(connection, "state");
        state.arrived.reset(at.sequence("csn", 0));
        Reception reception = (Reception) get(connection, "reception");
        for (int path = 0; path < paths; path++) {
            reception.path(path).current().window().reset(at.sequence("seq", 0));
        }
        Stream stream = java.util.Objects.requireNonNull(state.streams.at(0));
        set(stream.responder(), "completed", at.sequence("msn", 0));
    }

    private static Object get(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return java.util.Objects.requireNonNull(field.get(owner));
    }

    private static void set(Object owner, String name, int value) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        field.setInt(owner, value);
    }
}
