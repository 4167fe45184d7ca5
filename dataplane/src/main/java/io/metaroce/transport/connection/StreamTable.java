// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.stream.Stream;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection, by number and by slot. A slot names the stream in a packet's content and is not given to
 * another before everything of the stream is acknowledged.
 */
final class StreamTable {
    /** Streams a connection can hold, whatever was negotiated: what a content's name has room for. */
    static final int STREAMS_MAX = 1 << 16;

    private final Int2ObjectHashMap<Stream> byId;
    private final int limit;
    private @Nullable Stream[] bySlot = new @Nullable Stream[8];
    private int slots;
    private int turn;

    StreamTable(int streamsMax) {
        limit = Math.min(streamsMax, STREAMS_MAX);
        byId = new Int2ObjectHashMap<>();
    }

    /** Adds a stream; false if its number is taken or the table is full. Called between turns; may allocate. */
    boolean add(Stream stream) {
        if (byId.containsKey(stream.streamId()) || byId.size() >= limit) {
            return false;
        }
        int slot = 0;
        while (slot < slots && bySlot[slot] != null) {
            slot++;
        }
        if (slot == bySlot.length) {
            bySlot = java.util.Arrays.copyOf(bySlot, 2 * slot);
        }
        bySlot[slot] = stream;
        slots = Math.max(slots, slot + 1);
        byId.put(stream.streamId(), stream);
        return true;
    }

    void remove(int slot) {
        Stream stream = bySlot[slot];
        if (stream != null) {
            byId.remove(stream.streamId());
            bySlot[slot] = null;
        }
    }

    @Nullable
    Stream byId(int streamId) {
        return byId.get(streamId);
    }

    /** Slots to walk over: {@link #at} of each may be null. */
    int slots() {
        return slots;
    }

    @Nullable
    Stream at(int slot) {
        return bySlot[slot];
    }

    /** The slot of the next stream that can cut a packet, in turn; -1 if none. */
    int nextWithPacket() {
        for (int i = 0; i < slots; i++) {
            int slot = turn + i < slots ? turn + i : turn + i - slots;
            Stream stream = bySlot[slot];
            if (stream != null && stream.requester().hasPacket()) {
                turn = slot;
                return slot;
            }
        }
        return -1;
    }

    /** The stream whose packet was cut has had its turn. */
    void endTurn() {
        turn = turn + 1 < slots ? turn + 1 : 0;
    }

    int count() {
        return byId.size();
    }
}
