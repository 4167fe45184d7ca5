// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.transport.congestion.FixedWindow;
import org.junit.jupiter.api.Test;

/** The daemon's connection between simulated hosts. */
class MopEndpointTest {
    private static final int PAYLOAD = 4096;
    private static final int MESSAGES = 8;
    private static final long MESSAGE_BYTES = 1 << 20;
    private static final long WARM_UP_PS = 100_000_000;

    @Test
    void aCleanLinkIsFilledWithoutOneRetransmission() {
        Run run = new Run(1, 0);

        assertThat(run.sent).isEqualTo(MESSAGES);
        assertThat(run.told).isEqualTo(MESSAGES);
        assertThat(run.retransmitted).isZero();
        // Payload 4096 of 4222 bytes on the wire, plus one round trip and two turns.
        double idealPs = MESSAGES * MESSAGE_BYTES / PAYLOAD * 4222 * 20.0;
        assertThat((double) run.durationPs).isBetween(idealPs, idealPs + 14_000_000);
    }

    @Test
    void lossesAreRepairedAndEveryMessageArrives() {
        Run run = new Run(1, 0.02);

        assertThat(run.sent).isEqualTo(MESSAGES);
        assertThat(run.retransmitted).isPositive();
        assertThat(run.left).isZero();
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        assertThat(new Run(3, 0.02)).usingRecursiveComparison().isEqualTo(new Run(3, 0.02));
        assertThat(new Run(3, 0.02).durationPs).isNotEqualTo(new Run(4, 0.02).durationPs);
    }

    /** Eight messages of 1 MiB at 400 Gbit/s and 10 us round trip over 8 paths with windows that never move. */
    private static final class Run implements EndpointListener {
        private int sent;
        private int told;
        private final long retransmitted;
        private final long durationPs;
        private final long hops;
        private final int left;
        private long lastNs;

        Run(long seed, double loss) {
            try (Fabric fabric = new Fabric(seed, 10_000, PacketPool.HEADERS_ONLY)) {
                LinkSpec link = LinkSpec.of(400, 2.5, QueueSpec.tailDrop(10_000_000));
                new Topology(fabric, link, link).singleSwitch(2, 1);
                if (loss > 0) {
                    fabric.links()
                            .forEach(one -> one.faults(LinkFaults.losing(
                                    LossModel.bernoulli(
                                            loss, new io.metaroce.harness.sim.SeededRandom(seed + one.id())),
                                    LossModel.bernoulli(
                                            loss, new io.metaroce.harness.sim.SeededRandom(seed - one.id())))));
                }
                MopPairs pairs = new MopPairs(
                        fabric,
                        new MopPairs.Profile(8, PAYLOAD, 16, 1024, 1 << 20, 100_000),
                        host -> (packetBytes, initialBytes, limitBytes) -> new FixedWindow(100_000));
                MopEndpoint sender = pairs.connect(
                                fabric.hosts().get(0), this, fabric.hosts().get(1), this)[0];
                fabric.run(Fabric.START_PS + WARM_UP_PS, () -> {});
                for (int i = 0; i < MESSAGES; i++) {
                    sender.post(MESSAGE_BYTES, i, true);
                }
                fabric.hosts().get(0).wake(0);
                fabric.run(Fabric.START_PS + 100 * WARM_UP_PS, () -> {});
                durationPs = lastNs * 1_000 - Fabric.START_PS - WARM_UP_PS;
                retransmitted = sender.count(ConnectionCounter.TX_RETRANSMITTED_SACK)
                        + sender.count(ConnectionCounter.TX_RETRANSMITTED_PROBE);
                hops = fabric.hops();
                left = fabric.pool().inUse();
            }
        }

        @Override
        public void onSent(int tag, long nowNs) {
            sent++;
            lastNs = nowNs;
        }

        @Override
        public void onReceived(int tag, long nowNs) {
            assertThat(tag).isEqualTo(told);
            told++;
        }

        @Override
        public void onFailed(String why, long nowNs) {
            throw new AssertionError(why + " at " + hops);
        }
    }
}
