// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Congestion control from both ends, whole connections over one queue in virtual time. */
class BottleneckTest {
    private final Bottleneck.Setup setup = new Bottleneck.Setup();

    @Test
    void eightSendersHaveTheirSharesTwoRoundTripsAfterTheFirstData() {
        assertIncastSettles(8, 0, 2);
    }

    @Test
    void thirtyTwoSendersWithTheDegreeDeclaredHaveTheirSharesAfterTwoRoundTrips() {
        assertIncastSettles(32, 32, 2);
    }

    @Test
    void thirtyTwoSendersThatDeclaredNothingHaveTheirSharesAfterFourRoundTrips() {
        assertIncastSettles(32, 0, 4);
    }

    @Test
    void withoutHintsMarksAloneShareFairly() {
        setup.hints = false;
        Bottleneck bottleneck = started();

        bottleneck.run(200 * setup.roundTripNs);

        assertThat(jain(bottleneck, Bottleneck.Pair::deliveredBytes)).isGreaterThan(0.95);
        assertThat(used(bottleneck, 50)).isGreaterThan(0.96);
    }

    /** Marks at the last hop reach senders that hints govern already: both together must not swing. */
    @Test
    void hintsAndMarksTogetherDoNotOscillate() {
        setup.markFrom = 2;
        setup.markAll = 10;
        Bottleneck bottleneck = started();
        bottleneck.run(20 * setup.roundTripNs);

        for (int roundTrips = 0; roundTrips < 40; roundTrips++) {
            assertThat(used(bottleneck, 5)).isBetween(0.94, 1.01);
            assertThat(bottleneck.queueNs()).isLessThan(3 * setup.roundTripNs / 10);
        }
    }

    @Test
    void whatASenderOfASlowLinkLeavesTheOthersTake() {
        setup.slowMbps = setup.rateMbps / 4 / setup.senders;
        Bottleneck bottleneck = started();
        bottleneck.run(6 * setup.roundTripNs);

        assertThat(used(bottleneck, 50)).isGreaterThan(0.95);
    }

    @Test
    void aFabricThatNeverMarksHasABoundedQueue() {
        setup.hints = false;
        setup.markFrom = 1 << 20;
        setup.markAll = 2 << 20;
        setup.bufferPackets = 1 << 20;
        Bottleneck bottleneck = started();

        bottleneck.run(150 * setup.roundTripNs);

        assertThat(bottleneck.queueMostNs).isLessThan(2 * setup.roundTripNs);
        assertThat(used(bottleneck, 50)).isGreaterThan(0.96);
    }

    @Test
    void chanceLossOfOneInHundredCostsHardlyMoreThanWhatItLoses() {
        setup.senders = 1;
        setup.lossEvery = 100;
        Bottleneck bottleneck = started();
        bottleneck.run(20 * setup.roundTripNs);

        assertThat(used(bottleneck, 200)).isGreaterThan(0.94);
        assertThat(bottleneck.pairs.get(0).sender.counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK))
                .isPositive();
    }

    private void assertIncastSettles(int senders, int degree, int roundTrips) {
        setup.senders = senders;
        setup.degree = degree;
        Bottleneck bottleneck = started();
        long shareMbps = setup.rateMbps / senders;

        bottleneck.run(roundTrips * setup.roundTripNs);

        for (Bottleneck.Pair pair : bottleneck.pairs) {
            assertThat(pair.allowedMbps()).isBetween(shareMbps * 9 / 10, shareMbps * 11 / 10);
        }
        bottleneck.run((8 - roundTrips) * setup.roundTripNs);
        bottleneck.queueMostNs = 0;
        assertThat(used(bottleneck, 60)).isGreaterThan(0.96);
        assertThat(bottleneck.queueMostNs).isLessThan(3 * setup.roundTripNs / 10);
        assertThat(jain(bottleneck, Bottleneck.Pair::deliveredBytes)).isGreaterThan(0.995);
    }

    /** All senders start at once; returns when their first packets reach the receiver. */
    private Bottleneck started() {
        Bottleneck bottleneck = new Bottleneck(setup);
        bottleneck.start();
        bottleneck.run(setup.roundTripNs / 2);
        return bottleneck;
    }

    /** Share of the link that carried packets during the next round trips. */
    private double used(Bottleneck bottleneck, int roundTrips) {
        long before = bottleneck.carriedBytes;
        bottleneck.run(roundTrips * setup.roundTripNs);
        return (bottleneck.carriedBytes - before) * 8_000.0 / (roundTrips * setup.roundTripNs) / setup.rateMbps;
    }

    private static double jain(Bottleneck bottleneck, ToDoubleFunction<Bottleneck.Pair> quantity) {
        double sum = 0;
        double squares = 0;
        for (Bottleneck.Pair pair : bottleneck.pairs) {
            double value = quantity.applyAsDouble(pair);
            sum += value;
            squares += value * value;
        }
        return sum * sum / bottleneck.pairs.size() / squares;
    }
}
