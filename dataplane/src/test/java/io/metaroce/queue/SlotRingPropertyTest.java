// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.UnsafeApi;

/** The ring against a plain queue. */
class SlotRingPropertyTest {

    @Property(tries = 500)
    void aRingIsABoundedQueue(@ForAll @IntRange(max = 6) int capacityLog, @ForAll @Size(max = 300) int[] choices) {
        int capacity = 1 << capacityLog;
        try (RingMemory memory = new RingMemory(capacity)) {
            SlotRing producer = memory.view();
            SlotRing consumer = memory.view();
            Deque<Long> model = new ArrayDeque<>();
            WorkRequestSlot slot = new WorkRequestSlot();
            long next = 0;
            for (int choice : choices) {
                if ((choice & 1) == 0) {
                    assertThat(producer.canProduce()).isEqualTo(model.size() < capacity);
                    if (producer.canProduce()) {
                        producer.claim(slot);
                        slot.id(next);
                        model.add(next++);
                        producer.publish();
                    }
                } else if (consumer.available() > 0) {
                    consumer.peek(slot);
                    assertThat(slot.id()).isEqualTo(model.remove());
                    consumer.release();
                } else {
                    assertThat(model).isEmpty();
                }
                assertThat(consumer.available()).isLessThanOrEqualTo(model.size());
                assertThat(producer.produced() - producer.consumed()).isEqualTo(model.size());
            }
        }
    }

    @Property(tries = 500)
    void guardsB47WhateverTheOtherSideWritesOverTheIndicesNoSlotIsOutside(
            @ForAll long producerIndex, @ForAll long consumerIndex, @ForAll @IntRange(max = 4) int capacityLog) {
        int capacity = 1 << capacityLog;
        try (RingMemory memory = new RingMemory(capacity)) {
            SlotRing ring = memory.view();
            memory.overwriteIndices(producerIndex, consumerIndex);
            WorkRequestSlot slot = new WorkRequestSlot();

            int available = ring.available();
            assertThat(available).isBetween(0, capacity);
            for (int i = 0; i < 3 * capacity; i++) {
                ring.peek(slot);
                slot.id(1);
                ring.release();
                ring.claim(slot);
                slot.id(2);
                ring.publish();
                ring.slotAt(producerIndex + i, slot);
                slot.id(3);
            }

            assertThat(memory.guardIsIntact()).isTrue();
        }
    }

    @Property(tries = 200)
    void aSlotTakenAwayByAScribbledConsumerIndexIsStillReadOnceByTheConsumer(@ForAll long scribble) {
        try (RingMemory memory = new RingMemory(4)) {
            SlotRing producer = memory.view();
            SlotRing consumer = memory.view();
            WorkRequestSlot slot = new WorkRequestSlot();
            for (long id = 10; id < 13; id++) {
                producer.claim(slot);
                slot.id(id);
                producer.publish();
            }
            UnsafeApi.putLong(memory.address() + 128, scribble);

            assertThat(consumer.available()).isEqualTo(3);
            for (long id = 10; id < 13; id++) {
                consumer.peek(slot);
                assertThat(slot.id()).isEqualTo(id);
                consumer.release();
            }
            assertThat(consumer.available()).isZero();
            assertThat(consumer.consumed()).isEqualTo(3);
        }
    }
}
