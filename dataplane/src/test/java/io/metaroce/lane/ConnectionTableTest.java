// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private static final long QUARANTINE_NS = 60_000_000_000L;

    private final CounterBlock counters = new CounterBlock(
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(CounterBlock.bytesFor(LaneCounter.count()), 64)),
            0,
            LaneCounter.count());

    @Test
    void anIdIsFoundUntilItsConnectionRetiresAndIsRefusedForTheQuarantine() {
        // MOP-SEC-2, MOP-CTL-10
        ConnectionTable table = table(4, 4);
        ConnectionEntry entry = Entries.entry(77);

        assertThat(table.add(entry)).isEqualTo(Refusal.NONE);
        assertThat(table.find(77)).isSameAs(entry);
        assertThat(table.add(Entries.entry(77))).isEqualTo(Refusal.ID_TAKEN);

        table.retire(entry, 1_000);
        assertThat(table.find(77)).isNull();
        assertThat(table.isQuarantined(77)).isTrue();
        assertThat(table.add(Entries.entry(77))).isEqualTo(Refusal.ID_QUARANTINED);

        table.releaseIds(1_000 + QUARANTINE_NS - 1, 10);
        assertThat(table.isQuarantined(77)).isTrue();
        table.releaseIds(1_000 + QUARANTINE_NS, 10);
        assertThat(table.add(Entries.entry(77))).isEqualTo(Refusal.NONE);
    }

    /** B108: when all places are taken the refusal says so, and a place that comes free can be used. */
    @Test
    void aFullTableRefusesWithItsReasonAndTakesTheNextWhenOneLeaves() {
        ConnectionTable table = table(2, 8);
        ConnectionEntry first = Entries.entry(1);
        table.add(first);
        table.add(Entries.entry(2));

        assertThat(table.add(Entries.entry(3))).isEqualTo(Refusal.CONNECTION_LIMIT);

        table.retire(first, 0);
        assertThat(table.add(Entries.entry(3))).isEqualTo(Refusal.NONE);
        assertThat(table.count()).isEqualTo(2);
    }

    @Test
    void aHundredThousandConnectionsComeAndGoWithinTheBoundsAndLeaveNothing() {
        // MOP-SEC-8
        ConnectionTable table = table(4, 1_000);
        int id = 0;
        for (int i = 1; i <= 100_000; i++) {
            id += 0x1f1f_1f1f;
            ConnectionEntry entry = Entries.entry(id);
            assertThat(table.add(entry)).isEqualTo(Refusal.NONE);
            table.retire(entry, i);
        }

        assertThat(table.count()).isZero();
        assertThat(counters.get(LaneCounter.IDS_RELEASED_EARLY.ordinal())).isEqualTo(99_000);
        table.releaseIds(200_000 + QUARANTINE_NS, 2_000);
        assertThat(table.isQuarantined(id)).isFalse();
    }

    @Test
    void everyConnectionHasItsTurn() {
        ConnectionTable table = table(8, 8);
        Set<ConnectionEntry> expected = new HashSet<>();
        for (int id = 1; id <= 5; id++) {
            ConnectionEntry entry = Entries.entry(id);
            table.add(entry);
            expected.add(entry);
        }

        List<ConnectionEntry> turns = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            turns.add(table.next());
        }

        assertThat(turns).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aConnectionIsRememberedOnceHoweverOftenItIsTouched() {
        ConnectionTable table = table(4, 4);
        ConnectionEntry entry = Entries.entry(9);
        table.add(entry);

        table.touch(entry);
        table.touch(entry);
        table.touchAll();
        assertThat(table.touchedCount()).isEqualTo(1);

        table.clearTouched();
        table.touch(entry);
        assertThat(table.touchedCount()).isEqualTo(1);
    }

    /** Few ids in few slots collide and wrap around the end, which is where shifting back can go wrong. */
    @Property(tries = 1_000)
    void theIndexAgreesWithAMap(@ForAll @Size(max = 200) List<@IntRange(min = 0, max = 63) Integer> steps) {
        IdIndex index = new IdIndex(16);
        Map<Integer, ConnectionEntry> model = new HashMap<>();
        for (int step : steps) {
            int id = (step & 31) * 0x0400_0001;
            if (step >= 32) {
                index.remove(id);
                model.remove(id);
            } else if (model.size() < 16) {
                ConnectionEntry entry = Entries.entry(id);
                index.put(id, entry);
                model.put(id, entry);
            }
        }

        for (int i = 0; i < 32; i++) {
            int id = i * 0x0400_0001;
            assertThat(index.find(id)).isSameAs(model.get(id));
        }
    }

    private ConnectionTable table(int connectionsMax, int quarantineMax) {
        return new ConnectionTable(
                new LaneSettings(connectionsMax, 1, 1, 1, 1, 1, 1, 1, 1, QUARANTINE_NS, quarantineMax), counters);
    }
}
