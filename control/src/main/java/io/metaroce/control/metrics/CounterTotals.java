// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.CounterKind;
import io.metaroce.counters.PathCounter;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Sums over all connections there are and were: a total never falls when a connection ends, and their number does not grow
 * with the connections. Any thread.
 */
public final class CounterTotals {
    private static final ConnectionCounter[] CONNECTION_ROWS = ConnectionCounter.values();
    private static final PathCounter[] PATH_ROWS = PathCounter.values();

    private final Set<ConnectionCounters> living = Collections.newSetFromMap(new IdentityHashMap<>());
    private final long[] retired = new long[CONNECTION_ROWS.length];
    /** Path after path, as in a connection's block. */
    private final long[] retiredPaths;

    private final int pathCount;

    /**
     * @param pathCount paths told apart; those beyond count with the last
     */
    public CounterTotals(int pathCount) {
        this.pathCount = pathCount;
        this.retiredPaths = new long[pathCount * PATH_ROWS.length];
    }

    /** A connection begins to count. */
    public synchronized void add(ConnectionCounters counters) {
        living.add(counters);
    }

    /** A connection has counted its last. */
    public synchronized void retire(ConnectionCounters counters) {
        if (!living.remove(counters)) {
            return;
        }
        for (ConnectionCounter row : CONNECTION_ROWS) {
            if (row.kind() == CounterKind.COUNTER) {
                retired[row.ordinal()] += counters.get(row);
            }
        }
        for (int path = 0; path < counters.pathCount(); path++) {
            for (PathCounter row : PATH_ROWS) {
                if (row.kind() == CounterKind.COUNTER) {
                    retiredPaths[row.of(Math.min(path, pathCount - 1))] += counters.get(row, path);
                }
            }
        }
    }

    /** Sum of a row; of gauges, over living connections only. */
    public synchronized long sum(ConnectionCounter row) {
        long sum = retired[row.ordinal()];
        for (ConnectionCounters counters : living) {
            sum += counters.get(row);
        }
        return sum;
    }

    /** Sum of a counting row over the paths with one number. */
    public synchronized long sum(PathCounter row, int path) {
        long sum = retiredPaths[row.of(path)];
        for (ConnectionCounters counters : living) {
            int last = path == pathCount - 1 ? counters.pathCount() - 1 : path;
            for (int each = path; each <= last && each < counters.pathCount(); each++) {
                sum += counters.get(row, each);
            }
        }
        return sum;
    }

    /** Mean of a gauge over the paths with one number that have a value; 0 if none has. */
    public synchronized double mean(PathCounter row, int path) {
        long sum = 0;
        int count = 0;
        for (ConnectionCounters counters : living) {
            if (path < counters.pathCount() && counters.get(row, path) != 0) {
                sum += counters.get(row, path);
                count++;
            }
        }
        return count == 0 ? 0 : (double) sum / count;
    }

    /** Paths of living connections whose gauge has this value. */
    public synchronized long countPaths(PathCounter row, long value) {
        long count = 0;
        for (ConnectionCounters counters : living) {
            for (int path = 0; path < counters.pathCount(); path++) {
                count += counters.get(row, path) == value ? 1 : 0;
            }
        }
        return count;
    }

    public int pathCount() {
        return pathCount;
    }
}
