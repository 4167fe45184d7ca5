// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** The counters of one port: written by the lane that owns the port, read by any thread, each value whole. */
public final class PortCounters {
    private static final int CACHE_LINE_BYTES = 64;
    private static final PortCounter[] COUNTERS = PortCounter.values();

    private final UnsafeBuffer memory =
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(COUNTERS.length * Long.BYTES, CACHE_LINE_BYTES));

    /** Adds to a counter; the lane only. */
    public void add(PortCounter counter, long amount) {
        int offset = counter.ordinal() * Long.BYTES;
        memory.putLongOpaque(offset, memory.getLong(offset) + amount);
    }

    /** Reads a counter; any thread. */
    public long get(PortCounter counter) {
        return memory.getLongOpaque(counter.ordinal() * Long.BYTES);
    }

    /** Sets everything back to zero; only before anyone else has seen the port. */
    public void clear() {
        memory.setMemory(0, memory.capacity(), (byte) 0);
    }
}
