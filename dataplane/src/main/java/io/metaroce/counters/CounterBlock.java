// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import org.agrona.concurrent.AtomicBuffer;

/**
 * A row of counters in memory given by the owner: a direct buffer, or a mapped file that other processes read. One
 * writer; readers see each counter whole and never going back, in no particular order between counters.
 */
public final class CounterBlock {
    private final AtomicBuffer memory;
    private final int offset;
    private final int count;

    /**
     * @param offset of the first counter, a multiple of 8
     * @param count counters in the block
     */
    public CounterBlock(AtomicBuffer memory, int offset, int count) {
        memory.boundsCheck(offset, bytesFor(count));
        this.memory = memory;
        this.offset = offset;
        this.count = count;
    }

    /** Bytes that a block of {@code count} counters takes. */
    public static int bytesFor(int count) {
        return count * Long.BYTES;
    }

    public int count() {
        return count;
    }

    /** Adds one; writer only. */
    public void increment(int id) {
        add(id, 1);
    }

    /** Adds {@code amount}; writer only. */
    public void add(int id, long amount) {
        assert id >= 0 && id < count;
        int index = offset + id * Long.BYTES;
        memory.putLongOpaque(index, memory.getLong(index) + amount);
    }

    /** Sets a value that goes up and down, or a maximum; writer only. */
    public void set(int id, long value) {
        assert id >= 0 && id < count;
        memory.putLongOpaque(offset + id * Long.BYTES, value);
    }

    /** Reads a counter; any thread. */
    public long get(int id) {
        assert id >= 0 && id < count;
        return memory.getLongOpaque(offset + id * Long.BYTES);
    }
}
