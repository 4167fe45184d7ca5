// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The counters of one connection in memory given by its owner.
 *
 * <pre>
 *   offset, each part on a cache line of its own
 *      0   {@link ConnectionCounter} rows
 *      n   {@link PathCounter} rows of path 0, of path 1, ...
 * </pre>
 *
 * The connection writes; anyone reads. The owner zeroes the memory before the connection starts, and adds a finished
 * connection's counters to its totals before giving the memory to another, so that no total ever falls.
 */
public final class ConnectionCounters {
    private static final int PATHS_OFFSET =
            BitUtil.align(CounterBlock.bytesFor(ConnectionCounter.count()), BitUtil.CACHE_LINE_LENGTH);

    private final CounterBlock connection;
    private final CounterBlock paths;
    private final int pathCount;

    /**
     * @param offset multiple of 64
     * @param pathCount paths of the connection, 1 to 255
     */
    public ConnectionCounters(AtomicBuffer memory, int offset, int pathCount) {
        this.connection = new CounterBlock(memory, offset, ConnectionCounter.count());
        this.paths = new CounterBlock(memory, offset + PATHS_OFFSET, pathCount * PathCounter.count());
        this.pathCount = pathCount;
    }

    /** Counters that no other process sees. */
    public static ConnectionCounters inProcess(int pathCount) {
        int lengthBytes = bytesFor(pathCount);
        return new ConnectionCounters(
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(lengthBytes, BitUtil.CACHE_LINE_LENGTH)),
                0,
                pathCount);
    }

    /** The numbers as they are now, in memory of this process. */
    public ConnectionCounters copy() {
        ConnectionCounters copy = inProcess(pathCount);
        for (int id = 0; id < connection.count(); id++) {
            copy.connection.set(id, connection.get(id));
        }
        for (int id = 0; id < paths.count(); id++) {
            copy.paths.set(id, paths.get(id));
        }
        return copy;
    }

    /** Bytes for a connection of so many paths, a multiple of 64. */
    public static int bytesFor(int pathCount) {
        int pathsBytes = CounterBlock.bytesFor(pathCount * PathCounter.count());
        return PATHS_OFFSET + BitUtil.align(pathsBytes, BitUtil.CACHE_LINE_LENGTH);
    }

    /** The rows of {@link ConnectionCounter}. */
    public CounterBlock connection() {
        return connection;
    }

    /** The rows of {@link PathCounter} of all paths; ids by {@link PathCounter#of}. */
    public CounterBlock paths() {
        return paths;
    }

    public int pathCount() {
        return pathCount;
    }

    public long get(ConnectionCounter counter) {
        return connection.get(counter.ordinal());
    }

    /**
     * @param pathId 0 to {@link #pathCount} - 1
     */
    public long get(PathCounter counter, int pathId) {
        return paths.get(counter.of(pathId));
    }
}
