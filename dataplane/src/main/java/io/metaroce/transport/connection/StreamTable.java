// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.stream.Stream;
import java.util.Arrays;
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
    /** One bit for each slot: set whenever its stream may have a packet, cleared when it is found to have none. */
    private long[] ready = new long[1];

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
            bySlot = Arrays.copyOf(bySlot, 2 * slot);
            ready = Arrays.copyOf(ready, Math.max(1, bySlot.length / Long.SIZE));
        }
        bySlot[slot] = stream;
        slots = Math.max(slots, slot + 1);
        byId.put(stream.streamId(), stream);
        onReady(slot);
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

    /** A stream had its turn, in which it may have become able to cut a packet. */
    void onTurn(int slot, Stream stream) {
        if (stream.requester().hasPacket()) {
            onReady(slot);
        }
    }

    private void onReady(int slot) {
        ready[slot >>> 6] |= 1L << slot;
    }

    /** Any stream may have become able to cut a packet. */
    void onAnyReady() {
        Arrays.fill(ready, -1);
    }

    /**
     * The slot of the next stream that can cut a packet, in turn; -1 if none. Looks only at streams marked ready, so that
     * thousands of idle ones cost a word for each 64.
     */
    int nextWithPacket() {
        int slot = nextReady(turn, slots);
        if (slot < 0) {
            slot = nextReady(0, turn);
        }
        if (slot >= 0) {
            turn = slot;
        }
        return slot;
    }

    private int nextReady(int from, int to) {
        int slot = from;
        while (slot < to) {
            long word = ready[slot >>> 6] >>> slot;
            if (word == 0) {
                slot = (slot | 63) + 1;
                continue;
            }
            slot += Long.numberOfTrailingZeros(word);
            Stream stream = slot < to ? bySlot[slot] : null;
            if (stream != null && stream.requester().hasPacket()) {
                return slot;
            }
            if (slot < to) {
                ready[slot >>> 6] &= ~(1L << slot);
            }
            slot++;
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
