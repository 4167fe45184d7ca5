// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.harness.sim.SeededRandom;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The heap against a sorted map, over random schedules, moves, removals and takes. */
class EventHeapTest {
    private static final int SOURCES = 40;
    private static final int STEPS = 500;

    @Property(tries = 200)
    void everyTakeIsTheEarliestEvent(@ForAll long seed) {
        SeededRandom random = new SeededRandom(seed);
        EventHeap heap = new EventHeap();
        Map<Integer, Long> model = new TreeMap<>();
        for (int i = 0; i < SOURCES; i++) {
            assertThat(heap.register()).isEqualTo(i);
        }
        for (int step = 0; step < STEPS; step++) {
            if (random.below(3) > 0 || model.isEmpty()) {
                int id = random.below(SOURCES);
                long timePs = random.below(10) == 0 ? EventHeap.NEVER : random.below(1_000);
                heap.schedule(id, timePs);
                model.remove(id);
                if (timePs != EventHeap.NEVER) {
                    model.put(id, timePs);
                }
                assertThat(heap.timeOf(id)).isEqualTo(timePs);
            } else {
                long earliest =
                        model.values().stream().mapToLong(Long::longValue).min().orElseThrow();
                if (random.below(2) == 0) {
                    assertThat(heap.nextPs()).isEqualTo(earliest);
                }
                int id = heap.take();
                assertThat(model.remove(id)).isEqualTo(earliest);
            }
        }
        assertThat(heap.nextPs())
                .isEqualTo(
                        model.values().stream().mapToLong(Long::longValue).min().orElse(EventHeap.NEVER));
    }
}
