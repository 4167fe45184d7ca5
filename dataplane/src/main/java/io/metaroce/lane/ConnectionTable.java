// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import org.jspecify.annotations.Nullable;

/**
 * The lane's connections: found by id, walked in turns, and remembered when something happens to them.
 *
 * <p>Ids that were used stay in the index for the quarantine, so that a late packet of an old connection can neither reach
 * a new one nor be mistaken for an attack.
 */
final class ConnectionTable {
    private final IdIndex index;
    private final IdQuarantine quarantine;
    private final ConnectionEntry[] live;
    private final ConnectionEntry[] touched;
    private final CounterBlock counters;
    private int liveCount;
    private int touchedCount;
    private int cursor;

    ConnectionTable(LaneSettings settings, CounterBlock counters) {
        this.index = new IdIndex(settings.connectionsMax() + settings.quarantineMax());
        this.quarantine = new IdQuarantine(settings.quarantineMax(), settings.quarantineNs());
        this.live = new ConnectionEntry[settings.connectionsMax()];
        this.touched = new ConnectionEntry[settings.connectionsMax()];
        this.counters = counters;
    }

    /** The live connection of an id; null if there is none. */
    @Nullable
    ConnectionEntry find(int id) {
        ConnectionEntry entry = index.find(id);
        return entry == IdIndex.QUARANTINED ? null : entry;
    }

    /** Whether the id belonged to a connection that ended lately. */
    boolean isQuarantined(int id) {
        return index.find(id) == IdIndex.QUARANTINED;
    }

    Refusal add(ConnectionEntry entry) {
        ConnectionEntry holder = index.find(entry.id());
        if (holder != null) {
            return holder == IdIndex.QUARANTINED ? Refusal.ID_QUARANTINED : Refusal.ID_TAKEN;
        }
        if (liveCount == live.length) {
            return Refusal.CONNECTION_LIMIT;
        }
        index.put(entry.id(), entry);
        entry.tableIndex = liveCount;
        live[liveCount++] = entry;
        counters.set(LaneCounter.CONNECTIONS.ordinal(), liveCount);
        return Refusal.NONE;
    }

    /** Forgets a live connection and puts its id into quarantine. */
    void retire(ConnectionEntry entry, long nowNs) {
        ConnectionEntry last = live[--liveCount];
        live[entry.tableIndex] = last;
        last.tableIndex = entry.tableIndex;
        entry.tableIndex = ConnectionEntry.ABSENT;
        if (quarantine.isFull()) {
            index.remove(quarantine.releaseOldest());
            counters.increment(LaneCounter.IDS_RELEASED_EARLY.ordinal());
        }
        index.put(entry.id(), IdIndex.QUARANTINED);
        quarantine.add(entry.id(), nowNs);
        counters.set(LaneCounter.CONNECTIONS.ordinal(), liveCount);
    }

    /** Lets up to {@code limit} ids out of quarantine whose time is over. */
    void releaseIds(long nowNs, int limit) {
        for (int i = 0; i < limit && quarantine.hasExpired(nowNs); i++) {
            index.remove(quarantine.releaseOldest());
        }
    }

    int count() {
        return liveCount;
    }

    /** A live connection by its place, 0 to {@link #count} - 1; places change when one retires. */
    ConnectionEntry get(int place) {
        return live[place];
    }

    /** The next connection in turn; only when there is one. */
    ConnectionEntry next() {
        cursor = cursor + 1 < liveCount ? cursor + 1 : 0;
        return live[cursor];
    }

    /** Remembers that something happened to a live connection. */
    void touch(ConnectionEntry entry) {
        if (!entry.isTouched) {
            entry.isTouched = true;
            touched[touchedCount++] = entry;
        }
    }

    void touchAll() {
        for (int i = 0; i < liveCount; i++) {
            touch(live[i]);
        }
    }

    int touchedCount() {
        return touchedCount;
    }

    ConnectionEntry touched(int place) {
        return touched[place];
    }

    void clearTouched() {
        for (int i = 0; i < touchedCount; i++) {
            touched[i].isTouched = false;
        }
        touchedCount = 0;
    }
}
