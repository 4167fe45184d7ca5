// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import io.metaroce.transport.path.PathHealth.Step;
import org.junit.jupiter.api.Test;

class PathHealthTest {
    private final PathHealth health = new PathHealth();

    @Test
    @Proves({"MOP-PATH-9", "MOP-PATH-10", "MOP-LOSS-19"})
    void silenceIsFirstProbedThenSuspectThenDeath() {
        assertThat(health.onTimeout(true, false)).isEqualTo(Step.PROBE);
        assertThat(health.onTimeout(true, false)).isEqualTo(Step.SUSPECT);
        assertThat(health.onTimeout(true, false)).isEqualTo(Step.DIE);
    }

    @Test
    @Proves("MOP-PATH-10")
    void withoutAnAnsweringSiblingAPathIsOnlySuspectedHoweverLongItIsSilent() {
        health.onTimeout(false, false);
        for (int i = 0; i < 100; i++) {
            assertThat(health.onTimeout(false, false)).isEqualTo(Step.SUSPECT);
        }
        assertThat(health.onTimeout(true, false)).isEqualTo(Step.DIE);
    }

    @Test
    @Proves("MOP-LOSS-19")
    void guardsB18BackOffDoublesUpTo64TimesAndOneAnswerTakesItBack() {
        for (int doubled = 1; doubled <= 64; doubled *= 2) {
            assertThat(health.backedOff(1_000)).isEqualTo(doubled * 1_000L);
            health.onTimeout(false, false);
        }
        health.onTimeout(false, false);
        assertThat(health.backedOff(1_000)).isEqualTo(64_000);

        health.onAnswer();

        assertThat(health.backedOff(1_000)).isEqualTo(1_000);
        assertThat(health.timeouts()).isZero();
        assertThat(health.onTimeout(true, false)).isEqualTo(Step.PROBE);
    }

    @Test
    @Proves({"MOP-PATH-20", "MOP-PATH-21"})
    void aDeadPathIsRevivedByTwoAnswersInARow() {
        health.onDeath();
        assertThat(health.onRevivalProbe()).isFalse();
        assertThat(health.onRevivalAnswer()).isFalse();
        assertThat(health.onRevivalProbe())
                .as("every second unanswered probe takes another way")
                .isTrue();
        assertThat(health.onRevivalAnswer())
                .as("silence in between starts the count afresh")
                .isFalse();
        assertThat(health.onRevivalAnswer()).isTrue();
    }

    @Test
    @Proves("MOP-PATH-20")
    void probingOfADeadPathSlowsDownTo64Timeouts() {
        // MOP-PATH-20
        health.onDeath();
        for (int times = 1; times <= 64; times *= 2) {
            assertThat(health.backedOff(1)).isEqualTo(times);
            health.onRevivalProbe();
        }
        assertThat(health.backedOff(1)).isEqualTo(64);
    }
}
