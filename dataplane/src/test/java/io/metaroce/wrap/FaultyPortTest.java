// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.PortCounter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultyPortTest {
    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static List<Integer> delivered(String plan, int count) {
        try (FaultBench bench = new FaultBench(plan)) {
            List<Integer> all = new ArrayList<>();
            for (int sent = 0; sent < count; sent += 100) {
                bench.send(100, 0, true);
                all.addAll(bench.drain());
            }
            return all;
        }
    }

    @Test
    void aPlanOfNothingPassesEverythingInOrderAndCountsNothing() {
        try (FaultBench bench = new FaultBench("")) {
            bench.send(100, 0, true);

            assertThat(bench.drain()).isEqualTo(numbers(100));
            assertThat(bench.count(FaultCounter.OFFERED)).isZero();
            assertThat(bench.memory.free()).isEqualTo(FaultBench.SLOTS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tx", "rx"})
    void lossIsCountedPacketByPacketAndNearItsRate(String side) {
        try (FaultBench bench = new FaultBench("loss=10%,seed=7,side=" + side)) {
            int arrived = 0;
            for (int i = 0; i < 100; i++) {
                bench.send(200, 0, true);
                arrived += bench.drain().size();
            }

            long lost = bench.count(FaultCounter.LOST);
            assertThat(arrived + lost).isEqualTo(20_000);
            assertThat(lost).isBetween(1_850L, 2_150L);
            assertThat(bench.count(FaultCounter.LOST_DATA)).isEqualTo(lost);
            assertThat(bench.port.faults().dataNotDelivered()).isEqualTo(lost);
            assertThat(bench.memory.free()).isEqualTo(FaultBench.SLOTS);
        }
    }

    @Test
    void aSeedDecidesTheSameWayEveryTimeAndAnotherSeedOtherwise() {
        assertThat(delivered("loss=10%,seed=7", 1_000)).isEqualTo(delivered("loss=10%,seed=7", 1_000));
        assertThat(delivered("loss=10%,seed=7", 1_000)).isNotEqualTo(delivered("loss=10%,seed=8", 1_000));
    }

    @Test
    void anotherKindOfFaultLeavesTheLossesWhereTheyWere() {
        List<Integer> alone = delivered("loss=10%,seed=7", 1_000);

        assertThat(delivered("loss=10%,seed=7,corrupt=0.0000001%,reorder=20%", 1_000))
                .containsExactlyInAnyOrderElementsOf(alone);
    }

    @Test
    void theEndsOfTheScaleAreNoneAndAll() {
        assertThat(delivered("loss=100%", 500)).isEmpty();
        assertThat(delivered("dup=100%", 100)).hasSize(200);
    }

    @Test
    void aKilledPathCarriesNothingUntilItIsRevived() {
        try (FaultBench bench = new FaultBench("side=both")) {
            bench.control.killPath(3);
            bench.send(10, 3, true);
            bench.send(10, 3, false);
            bench.send(10, 4, true);
            assertThat(bench.drain()).isEqualTo(IntStream.range(20, 30).boxed().toList());
            assertThat(bench.count(FaultCounter.PATH_KILLED)).isEqualTo(20);
            assertThat(bench.count(FaultCounter.PATH_KILLED_DATA)).isEqualTo(10);

            bench.control.revivePath(3);
            bench.send(10, 3, true);
            assertThat(bench.drain()).hasSize(10);
            assertThat(bench.memory.free()).isEqualTo(FaultBench.SLOTS);
        }
    }

    @Test
    void aPathDiesAndRevivesByTheClock() {
        try (FaultBench bench = new FaultBench("path-kill=5@2ms-4ms")) {
            bench.send(1, 5, true);
            assertThat(bench.drain()).hasSize(1);

            bench.nowNs += 2_000_000;
            bench.send(1, 5, true);
            bench.send(1, 6, true);
            assertThat(bench.drain()).containsExactly(2);

            bench.nowNs += 2_000_000;
            bench.send(1, 5, true);
            assertThat(bench.drain()).containsExactly(3);
        }
    }

    @Test
    void killingAPathByCommandLeavesTheClockOfTheOthersAlone() {
        try (FaultBench bench = new FaultBench("path-kill=5@2ms")) {
            bench.send(1, 5, true);
            bench.nowNs += 1_500_000;
            bench.control.killPath(9);
            bench.send(1, 5, true);
            bench.nowNs += 500_000;
            bench.send(1, 5, true);

            assertThat(bench.drain()).containsExactly(0, 1);
        }
    }

    @Test
    void onlyTheChosenKindOfPacketSuffers() {
        try (FaultBench bench = new FaultBench("loss=100%,only=ack")) {
            bench.send(10, 0, true);
            bench.send(10, 0, false);

            assertThat(bench.drain()).isEqualTo(numbers(10));
            assertThat(bench.count(FaultCounter.LOST)).isEqualTo(10);
            assertThat(bench.count(FaultCounter.LOST_DATA)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tx", "rx"})
    void aCorruptedPacketDiffersByOneBit(String side) {
        try (FaultBench bench = new FaultBench("corrupt=100%,side=" + side)) {
            bench.send(300, 0, true);

            List<Integer> errors = bench.drainBitErrors();
            assertThat(errors).hasSize(300).allMatch(bits -> bits <= 1);
            // The first six bytes are not compared: a tenth of the bits.
            assertThat(errors.stream().filter(bits -> bits == 1).count()).isGreaterThan(200);
            assertThat(bench.count(FaultCounter.CORRUPTED)).isEqualTo(300);
        }
    }

    @Test
    void aReorderedPacketIsPassedByAsManyLaterOnesAsThePlanSays() {
        try (FaultBench bench = new FaultBench("")) {
            bench.control.plan(FaultPlan.parse("reorder=100%/2"));
            bench.send(1, 0, true);
            bench.control.plan(FaultPlan.parse("reorder=0.0000001%/2"));
            bench.send(4, 0, true);

            assertThat(bench.drain()).containsExactly(1, 2, 0, 3, 4);
            assertThat(bench.count(FaultCounter.REORDERED)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tx", "rx"})
    void nothingStaysHeldWhenTheTrafficEnds(String side) {
        try (FaultBench bench = new FaultBench("reorder=100%/64,side=" + side)) {
            bench.send(10, 0, true);

            assertThat(bench.drain()).containsExactlyInAnyOrderElementsOf(numbers(10));
            assertThat(bench.memory.free()).isEqualTo(FaultBench.SLOTS);
        }
    }

    @Test
    void moreThanCanBeHeldPassesAndIsCounted() {
        try (FaultBench bench = new FaultBench("reorder=100%/64,side=rx")) {
            bench.send(FaultBench.SLOTS / 2, 0, true);

            assertThat(bench.drain()).containsExactlyInAnyOrderElementsOf(numbers(FaultBench.SLOTS / 2));
        }
        try (FaultBench bench = new FaultBench("delay=1ms")) {
            bench.send(FaultyPort.STORE_PACKETS + 100, 0, true);

            assertThat(bench.count(FaultCounter.STORE_FULL)).isEqualTo(100);
            assertThat(bench.drain()).hasSize(100);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tx", "rx"})
    void aDelayedPacketArrivesAtItsTimeAndInOrder(String side) {
        try (FaultBench bench = new FaultBench("delay=1ms,side=" + side)) {
            bench.send(5, 0, true);
            assertThat(bench.drain()).isEmpty();

            bench.nowNs += 999_999;
            assertThat(bench.drain()).isEmpty();

            bench.nowNs += 1;
            assertThat(bench.drain()).isEqualTo(numbers(5));
            assertThat(bench.memory.free()).isEqualTo(FaultBench.SLOTS);
        }
    }

    @Test
    void aBusyPortNeverMakesAPacketBeJudgedTwice() {
        List<Integer> expected = delivered("loss=20%,seed=3", 1_000);
        try (FaultBench bench = new FaultBench("loss=20%,seed=3")) {
            List<Integer> arrived = new ArrayList<>();
            int accepted = 0;
            for (int turn = 0; accepted < 1_000; turn++) {
                bench.memory.room = turn % 5;
                accepted += bench.offer(Math.min(20, 1_000 - accepted));
                arrived.addAll(bench.poll());
            }
            bench.memory.room = Integer.MAX_VALUE;
            arrived.addAll(bench.drain());

            assertThat(bench.count(FaultCounter.OFFERED)).isEqualTo(1_000);
            assertThat(arrived).isEqualTo(expected);
            assertThat(bench.memory.free()).isEqualTo(FaultBench.SLOTS);
        }
    }

    @Test
    void aPortThatTakesNothingIsNotOverfed() {
        try (FaultBench bench = new FaultBench("loss=0.0000001%")) {
            bench.memory.room = 0;

            assertThat(bench.offer(32)).isEqualTo(32);
            assertThat(bench.offer(32)).isZero();
            assertThat(bench.memory.counter(PortCounter.TX_PACKETS)).isZero();
        }
    }

    @Test
    void closingGivesStagedBuffersBack() {
        FaultBench bench = new FaultBench("loss=0.0000001%");
        bench.memory.room = 0;
        bench.offer(32);

        bench.close();

        assertThat(bench.memory.free()).isEqualTo(FaultBench.SLOTS);
    }

    @Property(tries = 200)
    void everyPacketIsAccountedForAndEveryBufferComesBack(
            @ForAll @IntRange(max = 40) int loss,
            @ForAll @IntRange(max = 40) int dup,
            @ForAll @IntRange(max = 40) int reorder,
            @ForAll @IntRange(min = 1, max = 64) int depth,
            @ForAll @IntRange(max = 3) int delayUs,
            @ForAll @IntRange(max = 2) int side,
            @ForAll @IntRange(max = 1_000_000) int seed) {
        String plan = "loss=" + loss + "%,dup=" + dup + "%,reorder=" + reorder + "%/" + depth + ",corrupt=1%,delay="
                + delayUs + "us,seed=" + seed + ",side=" + new String[] {"tx", "rx", "both"}[side];
        try (FaultBench bench = new FaultBench(plan)) {
            bench.control.killPath(2);
            int arrived = 0;
            int sent = 0;
            for (int turn = 0; turn < 40; turn++) {
                bench.memory.room = turn % 7 == 0 ? 3 : Integer.MAX_VALUE;
                sent += bench.offer(1 + (turn * 13) % 32);
                bench.memory.room = Integer.MAX_VALUE;
                bench.send(turn % 3, 2, false);
                sent += turn % 3;
                bench.nowNs += 700;
                arrived += bench.poll().size();
            }
            // Held and late on the way out, held and late on the way in: each asks for idle turns and for time.
            for (int stage = 0; stage < 4; stage++) {
                bench.nowNs += 10_000;
                arrived += bench.drain().size();
            }

            long gone = bench.count(FaultCounter.LOST) + bench.count(FaultCounter.PATH_KILLED);
            assertThat(arrived).as(plan).isEqualTo((int) (sent - gone + bench.count(FaultCounter.DUPLICATED)));
            assertThat(bench.memory.free()).as(plan).isEqualTo(FaultBench.SLOTS);
        }
    }

    @Test
    void nothingIsAllocatedWhateverGoesWrong() {
        try (FaultBench bench = new FaultBench(
                "loss=5%,dup=5%,reorder=5%,corrupt=5%,delay=5us,side=both,path-kill=3,path-kill=4@1us-9us")) {
            com.sun.management.ThreadMXBean threads =
                    (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            for (int i = 0; i < 20_000; i++) {
                bench.turn();
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                bench.turn();
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            // The measurement itself may cost a few objects; one per packet would be megabytes.
            assertThat(allocated).isLessThan(4_096);
            assertThat(bench.count(FaultCounter.OFFERED)).isGreaterThan(300_000);
        }
    }
}
