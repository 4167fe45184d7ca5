// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import org.agrona.BitUtil;

/** Connections that want to transmit, first come first served, each at most once. */
final class TransmitQueue {
    private final ConnectionEntry[] entries;
    private int head;
    private int count;

    TransmitQueue(int capacity) {
        this.entries = new ConnectionEntry[BitUtil.findNextPositivePowerOfTwo(capacity)];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Only for an entry that is not queued. */
    void add(ConnectionEntry entry) {
        entry.isQueued = true;
        entries[(head + count) & (entries.length - 1)] = entry;
        count++;
    }

    /** Only when not empty. */
    ConnectionEntry removeFirst() {
        ConnectionEntry first = entries[head];
        head = (head + 1) & (entries.length - 1);
        count--;
        first.isQueued = false;
        return first;
    }

    /** Takes a queued entry out of its place; costs a walk, but connections end rarely. */
    void remove(ConnectionEntry entry) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            ConnectionEntry other = entries[(head + i) & (entries.length - 1)];
            if (other != entry) {
                entries[(head + kept++) & (entries.length - 1)] = other;
            }
        }
        count = kept;
        entry.isQueued = false;
    }
}
