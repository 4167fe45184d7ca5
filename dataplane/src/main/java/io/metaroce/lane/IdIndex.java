// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import org.agrona.BitUtil;
import org.jspecify.annotations.Nullable;

/**
 * Connection ids to entries: open addressing with linear probing, never more than half full, removal by shifting back so
 * that no tombstones gather. Ids are random and ours, so strangers cannot choose them to collide.
 */
final class IdIndex {
    /** Stands for an id that must not be used yet. */
    @SuppressWarnings("NullAway") // The sentinel is compared, never asked for its connection.
    static final ConnectionEntry QUARANTINED = new ConnectionEntry(0, null);

    private static final int FIBONACCI = 0x9E37_79B9;

    private final int[] ids;
    private final @Nullable ConnectionEntry[] entries;
    private final int mask;
    private final int shift;

    /**
     * @param capacity most ids at one time
     */
    IdIndex(int capacity) {
        int slots = BitUtil.findNextPositivePowerOfTwo(Math.max(2 * capacity, 2));
        this.ids = new int[slots];
        this.entries = new ConnectionEntry[slots];
        this.mask = slots - 1;
        this.shift = Integer.SIZE - Integer.numberOfTrailingZeros(slots);
    }

    @Nullable
    ConnectionEntry find(int id) {
        return entries[slotOf(id)];
    }

    /** Adds an id, or gives one that is known another entry. */
    void put(int id, ConnectionEntry entry) {
        int slot = slotOf(id);
        ids[slot] = id;
        entries[slot] = entry;
    }

    void remove(int id) {
        int hole = slotOf(id);
        if (entries[hole] == null) {
            return;
        }
        for (int slot = (hole + 1) & mask; entries[slot] != null; slot = (slot + 1) & mask) {
            // An entry may move back into the hole only if its home is not behind the hole.
            int distanceFromHome = (slot - home(ids[slot])) & mask;
            int distanceFromHole = (slot - hole) & mask;
            if (distanceFromHome >= distanceFromHole) {
                ids[hole] = ids[slot];
                entries[hole] = entries[slot];
                hole = slot;
            }
        }
        entries[hole] = null;
    }

    /** The slot that holds the id, or else the empty one where it would be put. */
    private int slotOf(int id) {
        int slot = home(id);
        while (entries[slot] != null && ids[slot] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int home(int id) {
        return (id * FIBONACCI) >>> shift;
    }
}
