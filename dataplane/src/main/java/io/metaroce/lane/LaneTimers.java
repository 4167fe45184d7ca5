// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/**
 * One deadline for each connection, the earliest on top: a binary heap of entries that know their own place.
 *
 * <p>A heap and not a timer wheel, because a lane has exactly one deadline for each connection: all that are due fire in one
 * poll and in order however long nobody polled, the earliest deadline can be asked for, and nothing grows. See
 * docs/decisions.
 */
final class LaneTimers {
    private static final long NEVER = Long.MAX_VALUE;

    private final ConnectionEntry[] heap;
    private int count;

    LaneTimers(int capacity) {
        this.heap = new ConnectionEntry[capacity];
    }

    /** The earliest deadline; {@link Long#MAX_VALUE} if there is none. */
    long earliestNs() {
        return count == 0 ? NEVER : heap[0].deadlineNs;
    }

    boolean isDue(long nowNs) {
        return count > 0 && heap[0].deadlineNs - nowNs <= 0;
    }

    /** Takes the connection of the earliest deadline out; only when one is due. */
    ConnectionEntry removeEarliest() {
        ConnectionEntry earliest = heap[0];
        cancel(earliest);
        return earliest;
    }

    /** Sets, moves or, with {@link Long#MAX_VALUE}, cancels a connection's deadline. */
    void schedule(ConnectionEntry entry, long deadlineNs) {
        if (deadlineNs == NEVER) {
            cancel(entry);
            return;
        }
        if (entry.timerIndex == ConnectionEntry.ABSENT) {
            entry.deadlineNs = deadlineNs;
            siftUp(count++, entry);
            return;
        }
        boolean isEarlier = deadlineNs - entry.deadlineNs < 0;
        entry.deadlineNs = deadlineNs;
        if (isEarlier) {
            siftUp(entry.timerIndex, entry);
        } else {
            siftDown(entry.timerIndex, entry);
        }
    }

    void cancel(ConnectionEntry entry) {
        int hole = entry.timerIndex;
        if (hole == ConnectionEntry.ABSENT) {
            return;
        }
        entry.timerIndex = ConnectionEntry.ABSENT;
        ConnectionEntry last = heap[--count];
        if (hole == count) {
            return;
        }
        if (last.deadlineNs - entry.deadlineNs < 0) {
            siftUp(hole, last);
        } else {
            siftDown(hole, last);
        }
    }

    private void siftUp(int from, ConnectionEntry entry) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            if (heap[parent].deadlineNs - entry.deadlineNs <= 0) {
                break;
            }
            put(place, heap[parent]);
            place = parent;
        }
        put(place, entry);
    }

    private void siftDown(int from, ConnectionEntry entry) {
        int place = from;
        for (int child = 2 * place + 1; child < count; child = 2 * place + 1) {
            if (child + 1 < count && heap[child + 1].deadlineNs - heap[child].deadlineNs < 0) {
                child++;
            }
            if (entry.deadlineNs - heap[child].deadlineNs <= 0) {
                break;
            }
            put(place, heap[child]);
            place = child;
        }
        put(place, entry);
    }

    private void put(int place, ConnectionEntry entry) {
        heap[place] = entry;
        entry.timerIndex = place;
    }
}
