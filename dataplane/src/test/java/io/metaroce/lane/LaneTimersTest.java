// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LaneTimersTest {
    private static final int CAPACITY = 32;

    /** B77: a loop that stood still finds everything due in one poll, each once, earliest first. */
    @Test
    void afterAStallAllDueTimersFireInOnePollInOrderEachOnce() {
        LaneTimers timers = new LaneTimers(CAPACITY);
        ConnectionEntry[] entries = entries();
        for (int i = 0; i < CAPACITY; i++) {
            timers.schedule(entries[i], 1_000 + (i * 7 % CAPACITY) * 1_000_000L);
        }

        List<Long> fired = new ArrayList<>();
        long nowNs = 1_000 + 20 * 1_000_000L;
        while (timers.isDue(nowNs)) {
            fired.add(timers.removeEarliest().deadlineNs);
        }

        assertThat(fired).hasSize(21).isSorted().doesNotHaveDuplicates();
        assertThat(timers.earliestNs()).isEqualTo(1_000 + 21 * 1_000_000L);
    }

    @Test
    void aMovedDeadlineFiresAtItsNewTimeOnly() {
        LaneTimers timers = new LaneTimers(CAPACITY);
        ConnectionEntry entry = entries()[0];

        timers.schedule(entry, 100);
        timers.schedule(entry, 500);
        assertThat(timers.isDue(499)).isFalse();
        timers.schedule(entry, 50);
        assertThat(timers.isDue(50)).isTrue();

        timers.removeEarliest();
        assertThat(timers.earliestNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void timeMayWrapBetweenNowAndADeadline() {
        LaneTimers timers = new LaneTimers(CAPACITY);
        ConnectionEntry[] entries = entries();
        long nowNs = Long.MAX_VALUE - 10;

        timers.schedule(entries[0], nowNs + 100);
        timers.schedule(entries[1], nowNs + 5);

        assertThat(timers.isDue(nowNs + 5)).isTrue();
        assertThat(timers.removeEarliest()).isSameAs(entries[1]);
        assertThat(timers.isDue(nowNs + 99)).isFalse();
        assertThat(timers.isDue(nowNs + 100)).isTrue();
    }

    @Property(tries = 500)
    void whateverIsScheduledMovedAndCancelledComesOutInOrder(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = CAPACITY * 64 - 1) Integer> steps) {
        LaneTimers timers = new LaneTimers(CAPACITY);
        ConnectionEntry[] entries = entries();
        TreeMap<Integer, Long> model = new TreeMap<>();
        for (int step : steps) {
            int who = step % CAPACITY;
            int deadline = step / CAPACITY;
            if (deadline == 0) {
                timers.cancel(entries[who]);
                model.remove(who);
            } else {
                timers.schedule(entries[who], deadline);
                model.put(who, (long) deadline);
            }
        }

        List<Long> fired = new ArrayList<>();
        while (timers.isDue(64)) {
            ConnectionEntry entry = timers.removeEarliest();
            assertThat(entry.deadlineNs).isEqualTo(model.remove(entry.id()));
            fired.add(entry.deadlineNs);
        }

        assertThat(fired).isSorted();
        assertThat(model).as("those that never fired").isEmpty();
    }

    private static ConnectionEntry[] entries() {
        ConnectionEntry[] entries = new ConnectionEntry[CAPACITY];
        for (int i = 0; i < CAPACITY; i++) {
            entries[i] = Entries.entry(i);
        }
        return entries;
    }
}
