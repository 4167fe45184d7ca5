// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import org.junit.jupiter.api.Test;

@Proves({"MOP-PATH-17", "MOP-PATH-31"})
class CongestedRoundsTest {
    private static final long ROUND_NS = 10_000;
    private static final long FLOOR_NS = 2_000;

    private final CongestedRounds rounds = new CongestedRounds(FLOOR_NS);
    private long nowNs;

    @Test
    void oneMarkMakesARoundTripCongestedAndOneCleanRoundTripEndsTheRow() {
        for (int i = 1; i <= 4; i++) {
            round(20, 1);
            assertThat(rounds.congestedInARow()).isEqualTo(i);
        }
        round(20, 0);

        assertThat(rounds.congestedInARow()).isZero();
        assertThat(rounds.cleanInARow()).isEqualTo(1);
    }

    @Test
    void queueingOfTheFastestPacketCountsAboveThreeQuartersOfTheBase() {
        rounds.onSample(17_400);
        rounds.onSample(90_000);
        round(2, 0);
        assertThat(rounds.congestedInARow()).isZero();

        rounds.onSample(17_600);
        round(2, 0);
        assertThat(rounds.congestedInARow()).isEqualTo(1);
    }

    @Test
    void queueingBelowTheFloorIsNoiseHoweverShortTheRoundTrip() {
        rounds.onSample(1_900);
        rounds.onReceived(1, 0, ROUND_NS, 100, nowNs);

        assertThat(rounds.congestedInARow()).isZero();
    }

    @Test
    void aRoundTripInWhichNothingWasReceivedSaysNothing() {
        round(1, 1);
        round(0, 0);
        round(1, 1);

        assertThat(rounds.congestedInARow()).isEqualTo(2);
    }

    @Test
    void onAnotherWayAllBeginsAnew() {
        round(1, 1);
        rounds.onNewWay();

        assertThat(rounds.congestedInARow()).isZero();
        assertThat(rounds.cleanInARow()).isZero();
    }

    private void round(int packets, int marked) {
        assertThat(rounds.onReceived(packets, marked, ROUND_NS, 10_000, nowNs)).isEqualTo(packets > 0);
        nowNs += ROUND_NS;
    }
}
