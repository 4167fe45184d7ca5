// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Routes, hashing, spraying, shared buffers and pauses, with endpoints that only send and count. */
class SwitchTest {
    private static final QueueSpec DEEP = QueueSpec.tailDrop(100_000_000);
    private static final LinkSpec LINK = LinkSpec.of(100, 1, DEEP);

    private final Fabric fabric = new Fabric(7, 100_000, PacketPool.HEADERS_ONLY);

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    void aFlowStaysOnItsWayAndFlowsSpread() {
        new Topology(fabric, LINK, LINK).leafSpine(2, 1, 8, 1, false);
        Source source = source(0, 1);
        for (int port = 0; port < 200; port++) {
            source.add(3, port);
        }
        run();

        List<Link> up = uplinksOf(0);
        assertThat(up)
                .hasSize(8)
                .allSatisfy(link -> assertThat(link.counters().packets() % 3).isZero());
        // 200 flows over 8 links: 25 each; 6 standard deviations are 28.
        assertThat(up)
                .allSatisfy(link -> assertThat(link.counters().packets() / 3).isBetween(6L, 53L));
    }

    @Test
    void sprayingSpreadsOneFlowEvenly() {
        new Topology(fabric, LINK, LINK).leafSpine(2, 1, 8, 1, false);
        fabric.switches().forEach(one -> one.isSpraying(true));
        source(0, 1).add(80, 5);
        run();

        assertThat(uplinksOf(0))
                .allSatisfy(link -> assertThat(link.counters().packets()).isEqualTo(10));
    }

    @Test
    void theSeedOfASwitchDecidesItsHash() {
        assertThat(shares(1)).isEqualTo(shares(1)).isNotEqualTo(shares(2));
    }

    @Test
    void everyHostReachesEveryOtherByTheShortestWay() {
        new Topology(fabric, LINK, LINK).fatTree(4, 1);
        assertThat(fabric.hosts()).hasSize(16);

        for (int to = 1; to < 16; to++) {
            source(0, to).add(1, to);
        }
        run();

        // Same edge 2 links, same pod 4, other pods 6.
        assertThat(fabric.hops()).isEqualTo(2 + 2 * 4 + 12 * 6);
        assertThat(fabric.drops()).isZero();
    }

    @Test
    void aSharedBufferGivesOneQueueAlphaOfWhatIsFree() {
        new Topology(fabric, LINK, LINK).singleSwitch(3, 1);
        fabric.switches().get(0).shareBuffer(100_000, 1);
        source(0, 2).add(200, 1);
        source(1, 2).add(200, 1);
        run();

        // The queue q stops growing where q = alpha * (B - q): at half.
        Link down = fabric.switches().get(0).links().get(2);
        assertThat(down.counters().queuedBytesMax()).isBetween(48_000L, 50_000L);
        assertThat(down.counters().drops()).isPositive();
    }

    @Test
    void pausedLinksLoseNothing() {
        new Topology(fabric, LINK, LinkSpec.of(100, 1, DEEP)).singleSwitch(3, 1);
        fabric.switches().get(0).pauseLinks(20_000, 10_000);
        source(0, 2).add(500, 1);
        source(1, 2).add(500, 1);
        run();

        Link down = fabric.switches().get(0).links().get(2);
        // Each of two links holds its threshold and what was under way when the pause began: 2 us of 100 Gbit/s.
        assertThat(down.counters().queuedBytesMax()).isBetween(40_000L, 2 * (20_000L + 25_000 + 3_000));
        assertThat(fabric.hosts().get(0).uplinks().get(0).counters().pauses()).isPositive();
        assertThat(fabric.hosts().get(2).received()).isEqualTo(1_000);
        assertThat(fabric.drops()).isZero();
    }

    private List<Long> shares(long seed) {
        try (Fabric other = new Fabric(seed, 10_000, PacketPool.HEADERS_ONLY)) {
            new Topology(other, LINK, LINK).leafSpine(2, 1, 8, 1, false);
            Source source = new Source(other);
            other.hosts().get(0).add(source, 1, 0);
            other.hosts().get(1).add(new Source(other), 0, 0);
            for (int port = 0; port < 100; port++) {
                source.add(1, port);
            }
            other.hosts().get(0).wake(0);
            other.run(Long.MAX_VALUE, () -> {});
            return other.switches().get(0).links().stream()
                    .map(link -> link.counters().packets())
                    .toList();
        }
    }

    private List<Link> uplinksOf(int leaf) {
        return fabric.switches().get(leaf).links().stream()
                .filter(link -> link.to() instanceof Switch)
                .toList();
    }

    private Source source(int from, int to) {
        Source source = new Source(fabric);
        Host sender = fabric.hosts().get(from);
        Host receiver = fabric.hosts().get(to);
        int number = sender.add(source, to, receiver.nextEndpoint());
        receiver.add(new Source(fabric), from, number);
        fabric.at(fabric.nowPs(), () -> sender.wake(number));
        return source;
    }

    private void run() {
        fabric.run(Long.MAX_VALUE, () -> {});
        assertThat(fabric.pool().inUse()).isZero();
    }

    /** Sends packets of 1,000 bytes as fast as its host lets it. */
    private static final class Source implements Endpoint {
        private final Fabric fabric;
        private final ArrayDeque<Integer> ports = new ArrayDeque<>();

        Source(Fabric fabric) {
            this.fabric = fabric;
        }

        void add(int packets, int port) {
            for (int i = 0; i < packets; i++) {
                ports.add(port);
            }
        }

        @Override
        public void post(long bytes, int tag, boolean isTold) {}

        @Override
        public void onPacket(int packet, long nowNs) {}

        @Override
        public void onTurn(long nowNs) {}

        @Override
        public int poll(long nowNs) {
            if (ports.isEmpty()) {
                return PacketPool.NONE;
            }
            int packet = fabric.pool().claim();
            fabric.pool().describe(packet, 1_000 - Framing.OVERHEAD_BYTES, PacketPool.DATA, ports.remove(), 0);
            return packet;
        }

        @Override
        public long nextDeadlineNs() {
            return Long.MAX_VALUE;
        }
    }
}
