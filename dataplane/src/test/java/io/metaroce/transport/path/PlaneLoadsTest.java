// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaroce.testing.Proves;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

@Proves("MOP-PATH-26")
class PlaneLoadsTest {
    private static final int PACKET_MAX = 8260;

    @Property(tries = 200)
    void planesThatCanAlwaysTakeAPacketAreLoadedEqually(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int planes) {
        SplittableRandom random = new SplittableRandom(seed);
        PlaneLoads loads = new PlaneLoads(planes);
        long[] carried = new long[planes];
        for (int i = 0; i < 2_000; i++) {
            int plane = loads.next((1 << planes) - 1);
            int bytes = 1 + random.nextInt(PACKET_MAX);
            loads.onSent(plane, bytes);
            carried[plane] += bytes;
        }
        for (long each : carried) {
            assertThat(each).isCloseTo(carried[0], within((long) PACKET_MAX));
        }
    }

    @Property(tries = 200)
    void onceEveryPlaneHasARateTheyAreLoadedInProportion(
            @ForAll long seed,
            @ForAll @IntRange(min = 100, max = 400_000) int first,
            @ForAll @IntRange(min = 100, max = 400_000) int second) {
        PlaneLoads loads = new PlaneLoads(2);
        loads.onRate(0, first);
        loads.onRate(1, second);
        double[] carried = new double[2];
        for (int i = 0; i < 20_000; i++) {
            int plane = loads.next(3);
            loads.onSent(plane, 4096);
            carried[plane] += 4096;
        }
        double share = carried[0] / (carried[0] + carried[1]);
        assertThat(share).isCloseTo((double) first / ((double) first + second), within(0.002));
    }

    @Property(tries = 200)
    void onlyPlanesThatCanTakeAPacketAreChosenAndALagIsMadeUpForWithinItsBound(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlaneLoads loads = new PlaneLoads(4);
        for (int i = 0; i < 500; i++) {
            int eligible = 1 + random.nextInt(15);
            int plane = loads.next(eligible);
            assertThat(eligible & 1 << plane).isNotZero();
            loads.onSent(plane, 1 + random.nextInt(PACKET_MAX));
        }
        for (int i = 0; i < 1_000; i++) {
            loads.onSent(loads.next(1), PACKET_MAX);
        }
        int inARow = 0;
        while (loads.next(3) == 1) {
            loads.onSent(1, 1024);
            inARow++;
        }
        assertThat((long) inARow * 1024).isLessThanOrEqualTo(PlaneLoads.LAG_MAX + PACKET_MAX + 1024);
    }
}
