// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one connection by number (MOP-CTL-15). Each side asks from its own half: the side that opened the connection takes even
 * numbers, the other odd ones. A number is used again as late as possible, so that late packets of a closed stream meet none.
 */
final class StreamTable {
    static final int STREAM_IDS = 1 << 16;

    private final Map<Integer, StreamEnd> streams = new HashMap<>();
    private final int parity;
    private final int streamsMax;
    private int next;

    StreamTable(boolean weOpenedTheConnection, int streamsMax) {
        this.parity = weOpenedTheConnection ? 0 : 1;
        this.streamsMax = streamsMax;
        this.next = parity;
    }

    /** B108: exhaustion names the limit and the setting. */
    int allocate() throws ConnectFailure {
        requireRoom();
        while (streams.containsKey(next)) {
            next = (next + 2) % STREAM_IDS;
        }
        int id = next;
        next = (next + 2) % STREAM_IDS;
        return id;
    }

    void requireRoom() throws ConnectFailure {
        if (streams.size() >= Math.min(streamsMax, STREAM_IDS / 2)) {
            throw new ConnectFailure("all " + streamsMax + " streams of the connection are in use (" + streams.size()
                    + " open; transport.streams_max, the smaller of both sides)");
        }
    }

    boolean isPeersHalf(int id) {
        return (id & 1) != parity;
    }

    void add(StreamEnd stream) {
        streams.put(stream.id(), stream);
    }

    @Nullable
    StreamEnd find(int id) {
        return streams.get(id);
    }

    void remove(StreamEnd stream) {
        streams.remove(stream.id(), stream);
    }

    /** The streams of now; a copy, because ending one changes the table. */
    List<StreamEnd> all() {
        return new ArrayList<>(streams.values());
    }

    int count() {
        return streams.size();
    }
}
