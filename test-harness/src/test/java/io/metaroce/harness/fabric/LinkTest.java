// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.harness.sim.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One link and its queue: every arrival time, drop and mark is known beforehand. */
class LinkTest {
    private static final long US = 1_000_000;
    /** 1,000 bytes at 80 Gbit/s. */
    private static final long SERIALIZATION_PS = 100_000;

    private final Fabric fabric = new Fabric(1, 10_000, PacketPool.HEADERS_ONLY);
    private final Sink sink = new Sink();

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    void arrivalIsSerializationPlusDelay() {
        Link link = link(QueueSpec.tailDrop(1_000_000));

        link.offer(packet(PacketPool.DATA), fabric.nowPs());
        run();

        assertThat(sink.timesPs).containsExactly(SERIALIZATION_PS + US);
    }

    @Test
    void packetsFollowEachOtherAtTheRateOfTheLink() {
        Link link = link(QueueSpec.tailDrop(1_000_000));

        offer(link, 4);
        run();

        assertThat(sink.timesPs)
                .containsExactly(
                        SERIALIZATION_PS + US,
                        2 * SERIALIZATION_PS + US,
                        3 * SERIALIZATION_PS + US,
                        4 * SERIALIZATION_PS + US);
        assertThat(link.queuedBytes()).isZero();
        assertThat(fabric.pool().inUse()).isZero();
    }

    @Test
    void whatExceedsTheQueueIsDropped() {
        Link link = link(QueueSpec.tailDrop(3_000));

        // One is being transmitted, three wait.
        offer(link, 10);
        run();

        assertThat(sink.timesPs).hasSize(4);
        assertThat(link.counters().drops()).isEqualTo(6);
        assertThat(link.counters().queuedBytesMax()).isEqualTo(3_000);
        assertThat(fabric.pool().inUse()).isZero();
    }

    @Test
    void aStepMarksWhatLeavesAtLeastSoMuchBehind() {
        Link link = link(new QueueSpec(1_000_000, 3_000, 3_000, false));

        offer(link, 10);
        run();

        // The first never waited; the second leaves 8 behind, the seventh 3.
        assertThat(sink.marked).containsExactly(false, true, true, true, true, true, true, false, false, false);
        assertThat(link.counters().marks()).isEqualTo(6);
    }

    @Test
    void betweenTheThresholdsTheMarksGrowEvenly() {
        Link link = link(new QueueSpec(100_000_000, 0, 4_000_000, false));

        offer(link, 4_000);
        run();

        // The mean queue is half of the upper threshold.
        assertThat(link.counters().marks()).isBetween(1_900L, 2_100L);
    }

    @Test
    void acknowledgementsOvertakeDataWhereAsked() {
        Link link = link(new QueueSpec(1_000_000, Long.MAX_VALUE, Long.MAX_VALUE, true));

        offer(link, 3);
        link.offer(packet(PacketPool.CONTROL), fabric.nowPs());
        run();

        assertThat(sink.classes).containsExactly(PacketPool.DATA, PacketPool.CONTROL, PacketPool.DATA, PacketPool.DATA);
    }

    @Test
    void aLinkThatIsDownLosesWhatIsSentAndWorksAgainAfterwards() {
        Link link = link(QueueSpec.tailDrop(1_000_000));

        fabric.at(fabric.nowPs() + 150_000, () -> link.isUp(false));
        fabric.at(fabric.nowPs() + 350_000, () -> link.isUp(true));
        offer(link, 6);
        run();

        assertThat(sink.timesPs)
                .containsExactly(
                        SERIALIZATION_PS + US,
                        2 * SERIALIZATION_PS + US,
                        5 * SERIALIZATION_PS + US,
                        6 * SERIALIZATION_PS + US);
        assertThat(link.counters().lost()).isEqualTo(2);
    }

    @Test
    void aSlowerRateHoldsFromTheNextPacketOn() {
        Link link = link(QueueSpec.tailDrop(1_000_000));

        fabric.at(fabric.nowPs() + 150_000, () -> link.rate(40_000_000_000L));
        offer(link, 3);
        run();

        assertThat(sink.timesPs)
                .containsExactly(SERIALIZATION_PS + US, 2 * SERIALIZATION_PS + US, 4 * SERIALIZATION_PS + US);
    }

    @Test
    void faultsLoseOnlyTheirClass() {
        Link link = link(QueueSpec.tailDrop(1_000_000));
        link.faults(LinkFaults.losing(LossModel.every(2), LossModel.NONE));

        for (int i = 0; i < 4; i++) {
            link.offer(packet(PacketPool.DATA), fabric.nowPs());
            link.offer(packet(PacketPool.CONTROL), fabric.nowPs());
        }
        run();

        assertThat(sink.classes).filteredOn(one -> one == PacketPool.CONTROL).hasSize(4);
        assertThat(sink.classes).filteredOn(one -> one == PacketPool.DATA).hasSize(2);
    }

    @Test
    void duplicatesAndPacketsHeldBackAllArriveInTheEnd() {
        Link link = link(QueueSpec.tailDrop(1_000_000));
        link.faults(new LinkFaults(
                LossModel.NONE,
                LossModel.NONE,
                LossModel.NONE,
                LossModel.every(3),
                LossModel.every(4),
                10 * US,
                new SeededRandom(1)));

        offer(link, 12);
        run();

        assertThat(sink.timesPs).hasSize(16).isSorted();
        assertThat(fabric.pool().inUse()).isZero();
    }

    private Link link(QueueSpec queue) {
        Switch from = fabric.newSwitch();
        return fabric.connect(from, sink, new LinkSpec(80_000_000_000L, US, queue));
    }

    private void offer(Link link, int packets) {
        for (int i = 0; i < packets; i++) {
            link.offer(packet(PacketPool.DATA), fabric.nowPs());
        }
    }

    private int packet(int trafficClass) {
        int packet = fabric.pool().claim();
        fabric.pool().describe(packet, 1_000 - Framing.OVERHEAD_BYTES, trafficClass, 1, 0);
        fabric.pool().route(packet, 0, 1, 0);
        return packet;
    }

    private void run() {
        fabric.run(Long.MAX_VALUE, () -> {});
    }

    private final class Sink implements Node {
        private final List<Long> timesPs = new ArrayList<>();
        private final List<Boolean> marked = new ArrayList<>();
        private final List<Integer> classes = new ArrayList<>();

        @Override
        public void onPacket(int packet, Link from, long nowPs) {
            timesPs.add(nowPs - Fabric.START_PS);
            marked.add(fabric.pool().ecn(packet) == Framing.CE);
            classes.add(fabric.pool().trafficClass(packet));
            fabric.pool().release(packet);
        }
    }
}
