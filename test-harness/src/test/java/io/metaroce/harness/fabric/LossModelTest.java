// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaroce.harness.sim.SeededRandom;
import org.junit.jupiter.api.Test;

class LossModelTest {
    private static final int PACKETS = 1_000_000;

    @Test
    void bernoulliLosesItsShareOneByOne() {
        Tally tally = Tally.of(LossModel.bernoulli(0.01, new SeededRandom(1)));

        assertThat(tally.lost / (double) PACKETS).isCloseTo(0.01, within(0.0005));
        assertThat(tally.lost / (double) tally.bursts).isCloseTo(1 / 0.99, within(0.02));
    }

    @Test
    void gilbertElliottLosesTheSameShareInBursts() {
        Tally tally = Tally.of(LossModel.gilbertElliott(0.01, 5, 1, new SeededRandom(1)));

        assertThat(tally.lost / (double) PACKETS).isCloseTo(0.01, within(0.001));
        assertThat(tally.lost / (double) tally.bursts).isCloseTo(5, within(0.3));
    }

    @Test
    void everyTenthMeansTheTenthAndTheTwentieth() {
        LossModel model = LossModel.every(10);

        for (int i = 1; i <= 30; i++) {
            assertThat(model.isNextLost()).as("packet %d", i).isEqualTo(i % 10 == 0);
        }
    }

    @Test
    void aTargetedLossHitsOnePacketOnly() {
        LossModel model = LossModel.only(3);

        for (int i = 1; i <= 30; i++) {
            assertThat(model.isNextLost()).as("packet %d", i).isEqualTo(i == 3);
        }
    }

    private record Tally(int lost, int bursts) {
        static Tally of(LossModel model) {
            int lost = 0;
            int bursts = 0;
            boolean wasLost = false;
            for (int i = 0; i < PACKETS; i++) {
                boolean isLost = model.isNextLost();
                lost += isLost ? 1 : 0;
                bursts += isLost && !wasLost ? 1 : 0;
                wasLost = isLost;
            }
            return new Tally(lost, bursts);
        }
    }
}
