// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EcnAimdWindowTest {
    private static final int PACKET = 1_000;
    private static final long ROUND_TRIP_NS = 100_000;

    private final EcnAimdWindow window = new EcnAimdWindow(PACKET, 4 * PACKET, 256 * PACKET);
    private long nowNs;

    @Test
    void doublesInEveryRoundTripUntilTheFirstMark() {
        acknowledgeWindow(0);
        acknowledgeWindow(0);
        acknowledgeWindow(0);

        assertThat(window.windowBytes()).isEqualTo(32 * PACKET);
    }

    @Test
    void neverExceedsItsLimit() {
        for (int i = 0; i < 20; i++) {
            acknowledgeWindow(0);
        }

        assertThat(window.windowBytes()).isEqualTo(256 * PACKET);
    }

    @Test
    void aFullyMarkedFirstRoundHalvesTheWindowOnce() {
        acknowledgeWindow(0);
        long beforeBytes = window.windowBytes();

        acknowledgeWindow(8);

        assertThat(window.windowBytes()).isBetween(beforeBytes / 2, beforeBytes / 2 + PACKET);
        assertThat(window.isCongested()).isTrue();
    }

    @Test
    void growsByOnePacketARoundTripAfterAMark() {
        acknowledgeWindow(0);
        acknowledgeWindow(8);
        long beforeBytes = window.windowBytes();

        acknowledgeWindow(0);

        assertThat(window.windowBytes() - beforeBytes).isBetween(PACKET * 9L / 10, PACKET * 11L / 10);
    }

    @Test
    void aTimeoutLeavesOnePacketAndDoublingGoesOnWhileNothingWasEverMarked() {
        // MOP-CC-5
        acknowledgeWindow(0);
        window.onTimeout(nowNs);

        assertThat(window.windowBytes()).isEqualTo(PACKET);

        acknowledgeWindow(0);
        acknowledgeWindow(0);
        acknowledgeWindow(0);

        assertThat(window.windowBytes()).isEqualTo(8 * PACKET);
    }

    @Test
    void lossWithoutMarksIsNotAskedFor() {
        // MOP-CC-6
        acknowledgeWindow(0);
        long beforeBytes = window.windowBytes();

        window.onAcknowledged(0, 0, 0, ROUND_TRIP_NS, nowNs);

        assertThat(window.windowBytes()).isEqualTo(beforeBytes);
    }

    /** A round trip in which the whole window is acknowledged, so many packets of it marked. */
    private void acknowledgeWindow(int marked) {
        nowNs += ROUND_TRIP_NS;
        long bytes = window.windowBytes();
        window.onAcknowledged(bytes, (int) (bytes / PACKET), marked, ROUND_TRIP_NS, nowNs);
    }
}
