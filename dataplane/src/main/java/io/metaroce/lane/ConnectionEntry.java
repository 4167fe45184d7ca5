// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.transport.connection.Connection;

/** A connection and what the lane remembers of it; built by the thread that asks for it, then the lane's alone. */
final class ConnectionEntry {
    /** Not in the list or heap in question. */
    static final int ABSENT = -1;

    private final int id;
    private final Connection connection;

    /** Place among the live connections. */
    int tableIndex = ABSENT;
    /** Place in the timer heap. */
    int timerIndex = ABSENT;
    /** Meaningful while in the heap. */
    long deadlineNs;
    /** Something happened to it since it was last settled. */
    boolean isTouched;
    /** Packets arrived for it in this receive turn. */
    boolean hasReceived;
    /** When its gauges were written last. */
    long gaugesNs;
    /** It waits in the queue of those that want to transmit. */
    boolean isQueued;

    ConnectionEntry(int id, Connection connection) {
        this.id = id;
        this.connection = connection;
    }

    int id() {
        return id;
    }

    Connection connection() {
        return connection;
    }
}
