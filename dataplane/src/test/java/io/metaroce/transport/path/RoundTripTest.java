// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaroce.testing.Proves;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RoundTripTest {
    private static final long FLOOR_NS = 100_000;

    private record Sample(long atNs, long roundTripNs) {}

    @Property(tries = 200)
    @Proves({"MOP-LOSS-23", "MOP-LOSS-18"})
    void theEstimateFollowsTheTextbookWithinRounding(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RoundTrip roundTrip = new RoundTrip();
        double smoothed = 0;
        double variation = 0;
        long nowNs = 0;
        for (int i = 0; i < 300; i++) {
            long sampleNs = 1_000 + random.nextLong(1_000_000);
            nowNs += random.nextLong(1_000_000);
            roundTrip.onSample(sampleNs, nowNs);
            if (i == 0) {
                smoothed = sampleNs;
                variation = sampleNs / 2.0;
            } else {
                variation += (Math.abs(smoothed - sampleNs) - variation) / 4;
                smoothed += (sampleNs - smoothed) / 8;
            }
            assertThat((double) roundTrip.smoothedNs()).isEqualTo(smoothed, within(16.0));
            assertThat((double) roundTrip.variationNs()).isEqualTo(variation, within(16.0));
            assertThat(roundTrip.timeoutNs(FLOOR_NS, 500))
                    .isEqualTo(roundTrip.smoothedNs() + Math.max(4 * roundTrip.variationNs(), FLOOR_NS) + 500);
        }
    }

    @Property(tries = 200)
    @Proves("MOP-LOSS-24")
    void theBaseIsTheLeastOfLateAndNeverOlderThanTenSeconds(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RoundTrip roundTrip = new RoundTrip();
        Deque<Sample> samples = new ArrayDeque<>();
        long nowNs = random.nextLong(1L << 40);
        for (int i = 0; i < 300; i++) {
            nowNs += random.nextLong(400_000_000);
            long sampleNs = 1_000 + random.nextLong(1_000_000);
            roundTrip.onSample(sampleNs, nowNs);
            samples.addLast(new Sample(nowNs, sampleNs));
            long tenSecondsAgoNs = nowNs - 10_000_000_000L;
            long fiveSecondsAgoNs = nowNs - 5_000_000_000L;
            samples.removeIf(sample -> sample.atNs() < tenSecondsAgoNs);

            assertThat(roundTrip.leastNs())
                    .isGreaterThanOrEqualTo(least(samples))
                    .isLessThanOrEqualTo(least(samples.stream()
                            .filter(s -> s.atNs() > fiveSecondsAgoNs)
                            .toList()));
        }
    }

    @Test
    @Proves("MOP-LOSS-18")
    void beforeTheFirstSampleTheTimeoutIsTenFloors() {
        assertThat(new RoundTrip().timeoutNs(FLOOR_NS, 0)).isEqualTo(10 * FLOOR_NS);
    }

    @Test
    @Proves("MOP-LOSS-18")
    void theTimeoutIsAtMostASecondBeforeDoubling() {
        RoundTrip roundTrip = new RoundTrip();
        roundTrip.onSample(3_000_000_000L, 0);

        assertThat(roundTrip.timeoutNs(FLOOR_NS, 0)).isEqualTo(1_000_000_000L);
    }

    @Test
    @Proves("MOP-LOSS-23")
    void aSampleIsAtLeastOneUnitEvenIfTheClocksDisagree() {
        RoundTrip roundTrip = new RoundTrip();
        roundTrip.onSample(-5_000, 0);

        assertThat(roundTrip.smoothedNs()).isEqualTo(16);
        assertThat(roundTrip.leastNs()).isEqualTo(16);
    }

    @Test
    @Proves({"MOP-LOSS-23", "MOP-LOSS-24"})
    void anotherWayHasItsOwnBaseAndKeepsTheEstimate() {
        RoundTrip roundTrip = new RoundTrip();
        roundTrip.onSample(10_000, 0);

        roundTrip.forgetLeast();
        assertThat(roundTrip.smoothedNs()).isEqualTo(10_000);
        roundTrip.onSample(30_000, 1);

        assertThat(roundTrip.leastNs()).isEqualTo(30_000);
        assertThat(roundTrip.smoothedNs()).isEqualTo(12_500);
    }

    private static long least(Iterable<Sample> samples) {
        long leastNs = Long.MAX_VALUE;
        for (Sample sample : samples) {
            leastNs = Math.min(leastNs, sample.roundTripNs());
        }
        return leastNs;
    }
}
