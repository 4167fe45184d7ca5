// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SlotRingTest {
    private static final int STRESS_SLOTS = 1_000_000;

    @Test
    @Timeout(60)
    void aMillionSlotsCrossBetweenTwoThreadsWholeAndInOrder() throws InterruptedException {
        try (RingMemory memory = new RingMemory(256)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread producerThread = new Thread(() -> produce(memory.view()), "producer");
            producerThread.setDaemon(true);
            producerThread.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
            producerThread.start();

            consume(memory.view(), producerThread);

            producerThread.join();
            assertThat(failure.get()).isNull();
        }
    }

    private static void produce(SlotRing ring) {
        WorkRequestSlot slot = new WorkRequestSlot();
        for (int i = 0; i < STRESS_SLOTS; i++) {
            while (!ring.canProduce()) {
                LockSupport.parkNanos(1);
            }
            ring.claim(slot);
            slot.id(i);
            slot.local(i * 31, i * 0x9e3779b97f4a7c15L, i);
            slot.remote(~i, ~(long) i);
            slot.immediate(i ^ 0x5555_5555);
            slot.opcode(WorkRequestOpcode.SEND_WITH_IMM);
            slot.flags(i & 3);
            ring.publish();
        }
    }

    private static void consume(SlotRing ring, Thread producerThread) {
        WorkRequestSlot slot = new WorkRequestSlot();
        int next = 0;
        while (next < STRESS_SLOTS) {
            int available = ring.available();
            if (available == 0) {
                assertThat(producerThread.isAlive() || ring.produced() > ring.consumed())
                        .as("slots after the producer ended")
                        .isTrue();
                LockSupport.parkNanos(1);
            }
            for (int i = 0; i < available; i++, next++) {
                ring.peek(slot);
                boolean isWhole = slot.id() == next
                        && slot.lkey() == next * 31
                        && slot.localAddress() == next * 0x9e3779b97f4a7c15L
                        && slot.length() == next
                        && slot.rkey() == ~next
                        && slot.remoteAddress() == ~(long) next
                        && slot.immediate() == (next ^ 0x5555_5555)
                        && slot.opcode() == WorkRequestOpcode.SEND_WITH_IMM.code()
                        && slot.flags() == (next & 3);
                if (!isWhole) {
                    throw new AssertionError("slot " + next + " reads as " + slot.id());
                }
                ring.release();
            }
        }
        assertThat(ring.available()).isZero();
    }

    @Test
    void guardsB47AFullRingSaysSoAndKeepsItsSlots() {
        try (RingMemory memory = new RingMemory(16)) {
            SlotRing producer = memory.view();
            CompletionSlot slot = new CompletionSlot();
            int accepted = 0;
            for (int i = 0; i < 100 && producer.canProduce(); i++) {
                producer.claim(slot);
                slot.id(i);
                producer.publish();
                accepted++;
            }
            assertThat(accepted).isEqualTo(16);

            SlotRing consumer = memory.view();
            assertThat(consumer.available()).isEqualTo(16);
            consumer.peek(slot);
            assertThat(slot.id()).isZero();
            consumer.release();

            assertThat(producer.canProduce()).isTrue();
        }
    }

    @Test
    void aLaterViewGoesOnWhereTheRingStands() {
        try (RingMemory memory = new RingMemory(4)) {
            SlotRing first = memory.view();
            ReceiveSlot slot = new ReceiveSlot();
            for (int id = 0; id < 3; id++) {
                first.claim(slot);
                slot.id(id);
                first.publish();
            }
            assertThat(first.available()).isEqualTo(3);
            first.release();

            SlotRing later = memory.view();

            assertThat(later.available()).isEqualTo(2);
            later.peek(slot);
            assertThat(slot.id()).isEqualTo(1);
            later.claim(slot);
            slot.id(3);
            later.publish();
            assertThat(first.produced()).isEqualTo(4);
        }
    }

    @Test
    void anotherLayoutIsRefusedWithItsNumbers() {
        try (RingMemory memory = new RingMemory(8)) {
            UnsafeApi.putInt(memory.address(), 2);
            assertThatThrownBy(memory::view)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("layout 2")
                    .hasMessageContaining("capacity 8");
        }
    }

    @Test
    void aCapacityThatIsNoPowerOfTwoOrDoesNotFitIsRefused() {
        try (RingMemory memory = new RingMemory(8)) {
            for (int capacity : new int[] {0, -8, 6, 16, SlotRing.CAPACITY_MAX * 2, Integer.MIN_VALUE}) {
                UnsafeApi.putInt(memory.address() + 4, capacity);
                assertThatThrownBy(memory::view)
                        .as("capacity %d", capacity)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
        for (int capacity : new int[] {0, -1, 3, SlotRing.CAPACITY_MAX + 1}) {
            assertThat(SlotRing.isCapacity(capacity)).isFalse();
            assertThatThrownBy(() -> SlotRing.format(0, capacity)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void memoryTooShortOrCrookedForARingIsRefusedUnread() {
        assertThatThrownBy(() -> new SlotRing(8, SlotRing.bytesFor(1) - 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SlotRing(12, SlotRing.bytesFor(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0xc");
    }
}
