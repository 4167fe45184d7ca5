// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a waiting lane yields its processor and when it sleeps. */
class SharedProcessorIdleTest {
    private static final long PARK_NS_MAX = 100_000;

    private long nowNs;
    private long stepNs = 1_000;
    private final SharedProcessorIdle idle = new SharedProcessorIdle(this::tick, 2, PARK_NS_MAX);

    private long tick() {
        nowNs += stepNs;
        return nowNs;
    }

    private void idleTimes(int times) {
        for (int i = 0; i < times; i++) {
            idle.idle(0);
        }
    }

    @Test
    void anAnswerWithinAFewRoundTripsIsWaitedForAwake() {
        idleTimes(50);

        assertThat(idle.mayYield(nowNs)).isTrue();
    }

    @Test
    void longSilenceIsSleptThroughUntilThereIsWork() {
        idleTimes(400);
        assertThat(idle.mayYield(nowNs)).isFalse();

        idle.idle(1);
        idleTimes(20);
        assertThat(idle.mayYield(nowNs)).isTrue();
    }

    @Test
    void aYieldThatCameBackLateMeansSleepingForAWhileEvenAfterWork() {
        idleTimes(11); // Past the spins.
        idle.onYielded(nowNs, nowNs + 3_000_000);
        nowNs += 3_000_000;
        idle.idle(1);
        idleTimes(20);
        assertThat(idle.mayYield(nowNs)).isFalse();

        nowNs += 30_000_000;
        idle.idle(1);
        idleTimes(20);
        assertThat(idle.mayYield(nowNs)).isTrue();
    }

    @Test
    void yieldsAmongThreadsThatOnlyWaitChangeNothing() {
        stepNs = 5_000;
        idleTimes(30);

        assertThat(idle.mayYield(nowNs)).isTrue();
    }
}
