// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * MOP-CTL-10. Our connection ids: unpredictable, so that a stranger cannot hit one, and out of use for a while after their end, so
 * that late packets meet nobody.
 */
final class ConnectionIds {
    static final long QUARANTINE_NS = 60_000_000_000L;
    /** Ids kept in quarantine at most; beyond it the oldest is free again. */
    static final int QUARANTINE_MAX = 1 << 16;

    private record Retired(int id, long untilNs) {}

    private final int max;
    private final Random random;
    private final Set<Integer> used = new HashSet<>();
    private final Set<Integer> quarantined = new HashSet<>();
    private final Deque<Retired> retired = new ArrayDeque<>();

    /**
     * @param random a secure source in the daemon
     */
    ConnectionIds(int max, Random random) {
        this.max = max;
        this.random = random;
    }

    /** B108: exhaustion names the limit, how much is used, and the setting. */
    int allocate(long nowNs) throws ConnectFailure {
        if (used.size() >= max) {
            throw new ConnectFailure("all " + max + " connections are in use (" + used.size()
                    + " open; transport.connections_max = " + max + ")");
        }
        while (!retired.isEmpty() && nowNs - retired.peekFirst().untilNs() >= 0) {
            quarantined.remove(retired.removeFirst().id());
        }
        int id = random.nextInt();
        while (id == 0 || used.contains(id) || quarantined.contains(id)) {
            id = random.nextInt();
        }
        used.add(id);
        return id;
    }

    void release(int id, long nowNs) {
        if (!used.remove(id)) {
            return;
        }
        if (retired.size() == QUARANTINE_MAX) {
            quarantined.remove(retired.removeFirst().id());
        }
        quarantined.add(id);
        retired.addLast(new Retired(id, nowNs + QUARANTINE_NS));
    }

    int count() {
        return used.size();
    }
}
