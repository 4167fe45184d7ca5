// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DcqcnTest {
    private static final double LINE = 100e9;
    private static final long STEP_NS = 55_000;

    @Test
    void theFirstNotificationHalvesTheRate() {
        Dcqcn dcqcn = new Dcqcn(LINE);

        dcqcn.onNotification(0);

        assertThat(dcqcn.rate()).isEqualTo(LINE / 2);
        assertThat(dcqcn.alpha()).isEqualTo(1);
    }

    @Test
    void alphaDecaysByOnePart256EachTimer() {
        Dcqcn dcqcn = new Dcqcn(LINE);

        dcqcn.onNotification(0);
        dcqcn.onTimer(3 * STEP_NS);

        assertThat(dcqcn.alpha()).isCloseTo(Math.pow(255.0 / 256, 3), within(1e-12));
    }

    @Test
    void fastRecoveryHalvesTheDistanceFiveTimes() {
        Dcqcn dcqcn = new Dcqcn(LINE);

        dcqcn.onNotification(0);
        dcqcn.onTimer(5 * STEP_NS);

        assertThat(dcqcn.rate()).isCloseTo(LINE * (1 - 0.5 / 32), within(1.0));
    }

    @Test
    void afterFastRecoveryTheTargetRisesByATwentieth() {
        Dcqcn dcqcn = new Dcqcn(LINE);

        dcqcn.onNotification(0);
        dcqcn.onNotification(0);
        // Target is half of line rate, rate a quarter; alpha stays 1.
        dcqcn.onTimer(5 * STEP_NS);
        double recovered = dcqcn.rate();
        dcqcn.onTimer(6 * STEP_NS);

        assertThat(recovered).isCloseTo(LINE * (0.5 - 0.25 / 32), within(1.0));
        assertThat(dcqcn.rate()).isCloseTo((recovered + LINE * 0.55) / 2, within(1.0));
    }
}
