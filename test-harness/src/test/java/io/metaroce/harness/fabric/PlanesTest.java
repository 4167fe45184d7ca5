// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.PathCounter;
import io.metaroce.harness.sim.SeededRandom;
import io.metaroce.transport.congestion.FixedWindow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Planes in virtual time: equal loads, planes that die with and without notice, and their return. */
class PlanesTest {
    private static final int PAYLOAD = 4096;
    private static final long MESSAGE_BYTES = 256 << 10;
    private static final long US = 1_000_000;
    private static final int SEEDS = 10;

    // MOP-PATH-26
    @Test
    void planesCarryEqualLoadsWithinFivePercent() {
        for (int planes : new int[] {2, 4, 8}) {
            Run run = new Run(7, planes, 4 * planes);
            run.post(64);
            run.until(20_000);

            run.assertAllArrived();
            long[] carried = run.bytesByPlane();
            long mean = 0;
            for (long bytes : carried) {
                mean += bytes / planes;
            }
            for (long bytes : carried) {
                assertThat((double) bytes).isCloseTo((double) mean, within((double) mean * 0.05));
            }
        }
    }

    // MOP-PATH-22, MOP-PATH-24
    @Test
    void aPlaneWhoseLinkGoesDownIsLeftWithinATurnAndTakenBackWhenItReturns() {
        Run run = new Run(3, 4, 16);
        run.post(16);
        run.fabric.at(Fabric.START_PS + 150 * US, () -> run.cable(2, false));
        run.fabric.at(Fabric.START_PS + 3_000 * US, () -> run.cable(2, true));
        run.until(3_000);
        run.assertAllArrived();
        assertThat(run.sender.count(ConnectionCounter.ACK_TIMEOUTS))
                .as("nobody waits for a timer: the link says that it is down")
                .isZero();

        long before = run.bytesByPlane()[2];
        run.until(4_000);
        run.post(16);
        run.until(6_000);
        run.assertAllArrived();
        assertThat(run.bytesByPlane()[2] - before)
                .as("bytes on the returned plane")
                .isPositive();
    }

    // MOP-PATH-10, MOP-PATH-11, MOP-PATH-12, MOP-PATH-21, MOP-PATH-32, MOP-PATH-33
    @Test
    void aPlaneThatDiesWithoutNoticeCostsNoMessageAndComesBack() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SeededRandom random = new SeededRandom(seed);
            int planes = (int) random.between(2, 4);
            Run run = new Run(seed, planes, planes * (int) random.between(1, 8));
            int dead = random.below(planes);
            long atUs = random.between(50, 400);
            long backUs = atUs + random.between(200, 20_000);
            run.post(32);
            run.fabric.at(Fabric.START_PS + atUs * US, () -> run.silence(dead, true));
            run.fabric.at(Fabric.START_PS + backUs * US, () -> run.silence(dead, false));
            run.until(50_000);
            run.assertAllArrived();

            long before = run.bytesByPlane()[dead];
            run.post(32);
            run.until(90_000);
            run.assertAllArrived();
            assertThat(run.bytesByPlane()[dead] - before)
                    .as("seed %d: bytes on the plane that returned", seed)
                    .isPositive();
            assertThat(run.sender.count(ConnectionCounter.RX_DROPPED_BAD_ACKNOWLEDGEMENT))
                    .as("seed %d", seed)
                    .isZero();
        }
    }

    // MOP-PATH-10, MOP-PATH-19
    @Test
    void aPlaneOfWhichOnlyOneDirectionDiesIsNotATrap() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Run run = new Run(seed, 2, 8);
            run.post(32);
            boolean isForward = seed % 2 == 0;
            run.fabric.at(Fabric.START_PS + 100 * US, () -> run.silenceOneWay(1, isForward));
            run.until(60_000);
            run.assertAllArrived();
        }
    }

    /** Two hosts, a switch for each plane, 100 Gbit/s and about 4 us round trip; fixed windows. */
    private static final class Run implements EndpointListener {
        final Fabric fabric;
        final MopEndpoint sender;
        private final int planes;
        private final int paths;
        private final List<Integer> told = new ArrayList<>();
        private int posted;

        Run(long seed, int planes, int paths) {
            this.planes = planes;
            this.paths = paths;
            fabric = new Fabric(seed, 20_000, PacketPool.HEADERS_ONLY);
            LinkSpec link = LinkSpec.of(100, 1, QueueSpec.tailDrop(10_000_000));
            new Topology(fabric, link, link).singleSwitch(2, planes);
            MopPairs pairs = new MopPairs(
                    fabric,
                    new MopPairs.Profile(paths, PAYLOAD, 64, 1024, 1 << 20, 100_000),
                    host -> (packetBytes, initialBytes, limitBytes) -> new FixedWindow(60_000));
            sender = pairs.connect(fabric.hosts().get(0), this, fabric.hosts().get(1), this)[0];
            until(40);
        }

        void post(int messages) {
            for (int i = 0; i < messages; i++) {
                sender.post(MESSAGE_BYTES, posted++, true);
            }
            fabric.hosts().get(0).wake(0);
        }

        void until(long us) {
            fabric.run(Fabric.START_PS + us * US, () -> {});
        }

        /** Both directions of the receiving host's cable on a plane, which its own end notices. */
        void cable(int plane, boolean isUp) {
            link(0, plane, false).isUp(isUp);
            link(0, plane, true).isUp(isUp);
            fabric.hosts().get(0).onPlane(plane, isUp, fabric.nowPs());
        }

        /** Everything on the plane vanishes, and no link says so. */
        void silence(int plane, boolean isSilent) {
            LinkFaults faults = isSilent ? blackHole() : LinkFaults.losing(LossModel.NONE, LossModel.NONE);
            link(1, plane, false).faults(faults);
            link(1, plane, true).faults(isSilent ? blackHole() : faults);
        }

        void silenceOneWay(int plane, boolean isForward) {
            link(1, plane, isForward).faults(blackHole());
        }

        long[] bytesByPlane() {
            long[] bytes = new long[planes];
            for (int path = 0; path < paths; path++) {
                bytes[path % planes] += sender.counters().paths().get(PathCounter.TX_BYTES.of(path));
            }
            return bytes;
        }

        void assertAllArrived() {
            assertThat(told).as("messages told, in order, each once").hasSize(posted);
            for (int i = 0; i < posted; i++) {
                assertThat(told.get(i)).isEqualTo(i);
            }
        }

        private static LinkFaults blackHole() {
            return LinkFaults.losing(() -> true, () -> true);
        }

        /** A host's cable on a plane, toward the host or away from it. */
        private Link link(int host, int plane, boolean isTowardHost) {
            Host owner = fabric.hosts().get(host);
            return isTowardHost
                    ? fabric.links().stream()
                            .filter(link -> link.to() == owner)
                            .toList()
                            .get(plane)
                    : owner.uplinks().get(plane);
        }

        @Override
        public void onSent(int tag, long nowNs) {}

        @Override
        public void onReceived(int tag, long nowNs) {
            told.add(tag);
        }

        @Override
        public void onFailed(String why, long nowNs) {
            throw new AssertionError(why);
        }
    }
}
