// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/** Used ids in the order in which they were used up, all kept for the same time. */
final class IdQuarantine {
    private final int[] ids;
    private final long[] untilNs;
    private final long durationNs;
    private int head;
    private int count;

    IdQuarantine(int capacity, long durationNs) {
        this.ids = new int[capacity];
        this.untilNs = new long[capacity];
        this.durationNs = durationNs;
    }

    boolean isFull() {
        return count == ids.length;
    }

    /** Only when not full. */
    void add(int id, long nowNs) {
        int place = (head + count) % ids.length;
        ids[place] = id;
        // MOP-SEC-2
        untilNs[place] = nowNs + durationNs;
        count++;
    }

    boolean hasExpired(long nowNs) {
        return count > 0 && nowNs - untilNs[head] >= 0;
    }

    /** Lets the oldest id go; only when there is one. */
    int releaseOldest() {
        int id = ids[head];
        head = (head + 1) % ids.length;
        count--;
        return id;
    }
}
