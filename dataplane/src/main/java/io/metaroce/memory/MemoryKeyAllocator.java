// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

import java.util.function.IntSupplier;

/**
 * Gives out the keys of a host. An index that comes back waits until every other free index was used, and its next key has a
 * fresh tag, so a stale key keeps failing for as long as the table allows.
 */
public final class MemoryKeyAllocator {
    /** What {@link #allocate} returns when all indices are in use; no key has this value. */
    public static final int NONE = 0;

    private final IntSupplier randomBits;
    /** Free indices in the order in which they came back; a ring. */
    private final int[] free = new int[MemoryKey.INDEX_COUNT];
    /** The key of an index in use, or its last one. */
    private final int[] lastKeys = new int[MemoryKey.INDEX_COUNT];

    private final boolean[] isUsed = new boolean[MemoryKey.INDEX_COUNT];
    private int oldestFree;
    private int freeCount = MemoryKey.INDEX_COUNT;

    /**
     * @param randomBits 32 unpredictable bits each time, such as {@code SecureRandom::nextInt}: a peer that knows one key must
     *     not be able to guess another
     */
    public MemoryKeyAllocator(IntSupplier randomBits) {
        this.randomBits = randomBits;
        for (int index = 0; index < free.length; index++) {
            free[index] = index;
        }
    }

    /** A key that no registration has, or {@link #NONE}. */
    public int allocate() {
        if (freeCount == 0) {
            return NONE;
        }
        int index = free[oldestFree];
        oldestFree = (oldestFree + 1) % free.length;
        freeCount--;
        // MOP-SEC-3
        int tag = 1 + Integer.remainderUnsigned(randomBits.getAsInt(), MemoryKey.TAG_COUNT);
        if (MemoryKey.of(index, tag) == lastKeys[index]) {
            tag = tag % MemoryKey.TAG_COUNT + 1;
        }
        lastKeys[index] = MemoryKey.of(index, tag);
        isUsed[index] = true;
        return lastKeys[index];
    }

    /** Takes a key back once no table has it any more; returns whether it was in use. */
    public boolean release(int key) {
        int index = MemoryKey.index(key);
        if (!isUsed[index] || lastKeys[index] != key) {
            return false;
        }
        isUsed[index] = false;
        free[(oldestFree + freeCount) % free.length] = index;
        freeCount++;
        return true;
    }

    /** Keys in use. */
    public int usedCount() {
        return MemoryKey.INDEX_COUNT - freeCount;
    }
}
