// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.stat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.CounterFile;
import io.metaroce.counters.PathCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every living connection of one node at one time.
 *
 * @param timeNs monotonic time of the reading
 * @param connections by slot and generation, so that a slot's next connection is not taken for the last one
 */
record Snapshot(long timeNs, Map<Key, Sample> connections) {
    private static final int ATTEMPTS_MAX = 3;

    /** A connection of a node for as long as it lives. */
    record Key(int slot, long generation) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int bySlot = Integer.compare(slot, other.slot);
            return bySlot != 0 ? bySlot : Long.compare(generation, other.generation);
        }
    }

    /** The numbers of one connection, and who it is. */
    record Sample(int connectionId, String peer, ConnectionCounters counters) {
        long retransmitted() {
            return counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                    + counters.get(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                    + counters.get(ConnectionCounter.TX_RETRANSMITTED_MOVED);
        }

        long get(ConnectionCounter counter) {
            return counters.get(counter);
        }

        /** Mean over the paths that have a sample, in ns; 0 if none has. */
        long roundTripNs() {
            List<Long> values = new ArrayList<>();
            for (int path = 0; path < counters.pathCount(); path++) {
                long value = counters.get(PathCounter.SRTT_NS, path);
                if (value > 0) {
                    values.add(value);
                }
            }
            return (long) values.stream().mapToLong(Long::longValue).average().orElse(0);
        }
    }

    static Snapshot of(CounterFile file, long nowNs) {
        Map<Key, Sample> connections = new TreeMap<>();
        for (int slot = 0; slot < file.slots(); slot++) {
            read(file, slot, connections);
        }
        return new Snapshot(nowNs, connections);
    }

    /** Reads a slot until it has been the same connection's from beginning to end; one that changes hands is left out. */
    private static void read(CounterFile file, int slot, Map<Key, Sample> into) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            long generation = file.generation(slot);
            if ((generation & 1) == 0) {
                return;
            }
            Sample sample = new Sample(
                    file.connectionId(slot),
                    file.peer(slot),
                    file.counters(slot).copy());
            if (file.generation(slot) == generation) {
                into.put(new Key(slot, generation), sample);
                return;
            }
        }
    }
}
