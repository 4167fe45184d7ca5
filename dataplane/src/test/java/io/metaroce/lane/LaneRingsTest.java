// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class LaneRingsTest {
    private final CounterBlock counters = new CounterBlock(
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(CounterBlock.bytesFor(LaneCounter.count()), 64)),
            0,
            LaneCounter.count());

    @Test
    void aFullCommandRingIsAReturnCode() {
        LaneCommands commands = new LaneCommands(2);

        assertThat(commands.tryPublish(new LaneCommand.Fence(1))).isTrue();
        assertThat(commands.tryPublish(new LaneCommand.Fence(2))).isTrue();
        assertThat(commands.tryPublish(new LaneCommand.Fence(3))).isFalse();

        List<Long> drained = new ArrayList<>();
        assertThat(commands.drain(collecting(drained), 1)).isEqualTo(1);
        assertThat(commands.tryPublish(new LaneCommand.Fence(4))).isTrue();
        assertThat(commands.drain(collecting(drained), 10)).isEqualTo(2);
        assertThat(drained).containsExactly(1L, 2L, 4L);
    }

    @Test
    void aDrainEndsAtItsLimitAndLeavesTheRest() {
        LaneCommands commands = new LaneCommands(16);
        for (int i = 0; i < 10; i++) {
            commands.tryPublish(new LaneCommand.Fence(i));
        }

        List<Long> drained = new ArrayList<>();
        assertThat(commands.drain(collecting(drained), 4)).isEqualTo(4);
        assertThat(commands.drain(collecting(drained), 4)).isEqualTo(4);
        assertThat(commands.drain(collecting(drained), 4)).isEqualTo(2);
        assertThat(commands.drain(collecting(drained), 4)).isZero();
        assertThat(drained).hasSize(10).isSorted();
    }

    @Test
    void aCommandThatCannotBeAnsweredStaysInItsRing() {
        LaneCommands commands = new LaneCommands(4);
        commands.tryPublish(new LaneCommand.Fence(1));
        commands.tryPublish(new LaneCommand.Fence(2));
        List<Long> drained = new ArrayList<>();
        LaneCommands.Consumer onlyOne = new LaneCommands.Consumer() {
            @Override
            public boolean canAnswer() {
                return drained.isEmpty();
            }

            @Override
            public void onCommand(LaneCommand command) {
                drained.add(command.correlationId());
            }
        };

        assertThat(commands.drain(onlyOne, 10)).isEqualTo(1);
        assertThat(commands.drain(onlyOne, 10)).isZero();
        drained.clear();
        assertThat(commands.drain(onlyOne, 10)).isEqualTo(1);
    }

    /** B74: no consumer ever sees a slot that was claimed and not filled, whoever publishes meanwhile. */
    @Test
    void commandsOfManyThreadsAllArriveWholeOnce() throws InterruptedException {
        LaneCommands commands = new LaneCommands(8);
        int threads = 4;
        int each = 5_000;
        CountDownLatch finished = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            long base = (long) t * each;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    while (!commands.tryPublish(new LaneCommand.Fence(base + i))) {
                        LockSupport.parkNanos(1_000);
                    }
                }
                finished.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        }

        List<Long> drained = new ArrayList<>();
        while (drained.size() < threads * each) {
            if (commands.drain(collecting(drained), 100) == 0) {
                LockSupport.parkNanos(1_000);
            }
        }

        assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(commands.drain(collecting(drained), 100)).isZero();
        assertThat(drained).doesNotHaveDuplicates().hasSize(threads * each);
    }

    /** B76: a lane that says more than its ring holds neither blocks nor loses what must arrive, nor its order. */
    @Test
    void aSlowReaderGetsEveryEventThatMustArriveInOrder() {
        LaneEvents events = new LaneEvents(4, 8, counters);
        for (int id = 0; id < 20; id++) {
            events.stage(LaneEvent.Kind.CONNECTION_FINISHED).connection(id);
            events.publish();
        }
        assertThat(events.hasRoom()).isFalse();

        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            events.poll(event -> seen.add(event.connectionId()), 3);
            events.flush();
        }

        assertThat(seen).hasSize(20).isSorted().doesNotHaveDuplicates();
        assertThat(events.isFlushed()).isTrue();
        assertThat(events.hasRoom()).isTrue();
        assertThat(counters.get(LaneCounter.EVENTS_DEFERRED.ordinal())).isEqualTo(16);
        assertThat(counters.get(LaneCounter.EVENTS_LOST.ordinal())).isZero();
    }

    @Test
    void advisoryEventsAreDroppedAndCountedWhenNobodyReads() {
        LaneEvents events = new LaneEvents(2, 8, counters);
        for (int path = 0; path < 10; path++) {
            events.stage(LaneEvent.Kind.PATH_CHANGED).path(path);
            events.publish();
        }

        AtomicInteger seen = new AtomicInteger();
        events.flush();
        events.poll(event -> seen.incrementAndGet(), 100);

        assertThat(seen).hasValue(2);
        assertThat(counters.get(LaneCounter.EVENTS_LOST.ordinal())).isEqualTo(8);
    }

    @Test
    void aHandlerThatThrowsMissesItsEventAndNoOther() {
        LaneEvents events = new LaneEvents(8, 8, counters);
        for (int id = 0; id < 3; id++) {
            events.stage(LaneEvent.Kind.READY).connection(id);
            events.publish();
        }
        List<Integer> seen = new ArrayList<>();
        LaneEvent.Handler failing = event -> {
            seen.add(event.connectionId());
            if (event.connectionId() == 1) {
                throw new IllegalStateException("planted");
            }
        };

        assertThatThrownBy(() -> events.poll(failing, 10)).hasMessage("planted");
        events.poll(failing, 10);

        assertThat(seen).containsExactly(0, 1, 2);
    }

    @Test
    void fieldsOfAnEarlierEventDoNotShowInALaterOne() {
        LaneEvents events = new LaneEvents(1, 8, counters);
        events.stage(LaneEvent.Kind.CONNECTION_LOST).connection(5).reason("timeout", "silent");
        events.publish();
        events.poll(event -> {}, 1);

        events.stage(LaneEvent.Kind.STALLED).value(9);
        events.publish();

        events.poll(
                event -> {
                    assertThat(event.connectionId()).isZero();
                    assertThat(event.reason()).isEmpty();
                    assertThat(event.meaning()).isEmpty();
                    assertThat(event.value()).isEqualTo(9);
                },
                1);
    }

    private static LaneCommands.Consumer collecting(List<Long> drained) {
        return new LaneCommands.Consumer() {
            @Override
            public boolean canAnswer() {
                return true;
            }

            @Override
            public void onCommand(LaneCommand command) {
                drained.add(command.correlationId());
            }
        };
    }
}
