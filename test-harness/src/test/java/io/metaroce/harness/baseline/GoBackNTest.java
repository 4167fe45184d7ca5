// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaroce.harness.fabric.Endpoint;
import io.metaroce.harness.fabric.Fabric;
import io.metaroce.harness.fabric.LinkFaults;
import io.metaroce.harness.fabric.LinkSpec;
import io.metaroce.harness.fabric.LossModel;
import io.metaroce.harness.fabric.MessageLog;
import io.metaroce.harness.fabric.PacketPool;
import io.metaroce.harness.fabric.QueueSpec;
import io.metaroce.harness.fabric.Topology;
import io.metaroce.harness.sim.SeededRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One lossy direction: of N packets in flight all behind a loss are sent again, so goodput is about (1 - p) / (1 - p + pN). */
class GoBackNTest {
    private static final int PAYLOAD = 4096;
    private static final int PACKETS = 20_000;
    private static final int WIRE_BYTES = PAYLOAD + 32 + 66;
    private static final double GBPS = 400;

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.001, 0.01, 0.03})
    void goodputIsWhatTheArithmeticSays(double loss) {
        try (Fabric fabric = new Fabric(1, 10_000, PacketPool.HEADERS_ONLY)) {
            LinkSpec link = LinkSpec.of(GBPS, 2.5, QueueSpec.tailDrop(10_000_000));
            new Topology(fabric, link, link).singleSwitch(2, 1);
            if (loss > 0) {
                fabric.hosts()
                        .get(0)
                        .uplinks()
                        .get(0)
                        .faults(LinkFaults.losing(LossModel.bernoulli(loss, new SeededRandom(3)), LossModel.NONE));
            }
            MessageLog log = new MessageLog(1, fabric::stop);
            RocePairs pairs = new RocePairs(fabric, new RoceSettings(PAYLOAD, 100_000, GBPS * 1e9, 131_072));
            Endpoint sender =
                    pairs.connect(fabric.hosts().get(0), log, fabric.hosts().get(1), log)[0];
            sender.post((long) PACKETS * PAYLOAD, 7, true);
            fabric.hosts().get(0).wake(0);
            fabric.run(Long.MAX_VALUE, () -> {});

            double packetNs = WIRE_BYTES * 8 / GBPS;
            double idealNs = PACKETS * packetNs;
            double goodput = idealNs / (log.sentNs(0) - Fabric.START_PS / 1_000.0);
            // From a loss to the packet sent again: the round trip, the next packet that shows the gap, up to a turn at
            // each end.
            double lostPackets = (10_000 + 2 * packetNs + 1_000) / packetNs;
            // A NAK is sent once a gap, so a packet lost again waits for the timeout.
            double waitedPackets = 131_072 / packetNs;
            double expected = (1 - loss) / (1 - loss + loss * lostPackets + loss * loss * waitedPackets);
            assertThat(goodput).isCloseTo(expected, within(0.1 * expected));
            assertThat(log.told()).isEqualTo(1);
            assertThat(pairs.firstSent()).isEqualTo(PACKETS);
            assertThat(pairs.timeouts()).isLessThanOrEqualTo(Math.round(10 + 2 * PACKETS * loss * loss));
        }
    }
}
