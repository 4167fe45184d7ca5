// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** The counters of one faulty port, both directions together: written by its lane, read by any thread. */
public final class FaultCounters {
    private static final int CACHE_LINE_BYTES = 64;
    private static final int COUNT = FaultCounter.values().length;

    private final UnsafeBuffer memory =
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(COUNT * Long.BYTES, CACHE_LINE_BYTES));

    void increment(FaultCounter counter) {
        int offset = counter.ordinal() * Long.BYTES;
        memory.putLongOpaque(offset, memory.getLong(offset) + 1);
    }

    /** Reads a counter; any thread. */
    public long get(FaultCounter counter) {
        return memory.getLongOpaque(counter.ordinal() * Long.BYTES);
    }

    /** Data packets that did not arrive as sent, for whatever reason: each asks for one retransmission. */
    public long dataNotDelivered() {
        return get(FaultCounter.LOST_DATA) + get(FaultCounter.PATH_KILLED_DATA) + get(FaultCounter.CORRUPTED_DATA);
    }
}
