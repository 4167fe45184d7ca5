// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.transport.congestion.EcnAimdWindow;
import io.metaroce.transport.congestion.FixedWindow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lengths at which windows end, and lengths at which packets do: nothing may wait for a timer (field problem B09). */
class ExactWindowTest {
    private static final int PAYLOAD = 256;

    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 257, 512})
    void aMessageOfSoManyPacketsOfOnePathNeedsNoRetransmissionAndNoTimeout(int packets) {
        JoinedConnections joined = new JoinedConnections(0, 1, PAYLOAD, (p, i, l) -> new FixedWindow(1 << 20));

        joined.write((long) packets * PAYLOAD);

        assertUndisturbed(joined);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PAYLOAD - 1, PAYLOAD, PAYLOAD + 1, 2 * PAYLOAD - 1, 2 * PAYLOAD + 1, 8 * PAYLOAD})
    void aMessageOfThisLengthIsRightAndNeedsNoTimeout(int bytes) {
        // MOP-LOSS-20, MOP-STR-2, MOP-STR-7, MOP-STR-10
        JoinedConnections joined = new JoinedConnections(0, 8, PAYLOAD, EcnAimdWindow::new);

        joined.write(bytes);

        assertUndisturbed(joined);
    }

    @Test
    void writesOfAMebibyteArriveWholeWithoutLoss() {
        JoinedConnections joined = new JoinedConnections(0, 8, 4096, EcnAimdWindow::new);

        joined.write(1 << 20, 1 << 20, 1 << 20, 1 << 20);

        assertUndisturbed(joined);
    }

    @Test
    void everyTenthPacketLostIsRepaired() {
        JoinedConnections joined = new JoinedConnections(10, 8, 4096, EcnAimdWindow::new);

        joined.write(1 << 20, 1 << 20, 1 << 20, 1 << 20);

        assertThat(retransmitted(joined)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7})
    void aMessageOfThreePacketsSurvivesTheLossOfEveryNthPacket(int every) {
        JoinedConnections joined = new JoinedConnections(every, 2, PAYLOAD, EcnAimdWindow::new);

        joined.write(3 * PAYLOAD, 3 * PAYLOAD, 3 * PAYLOAD);

        assertThat(joined.right.counters.get(ConnectionCounter.ERRORS_ISSUED)).isZero();
    }

    private static void assertUndisturbed(JoinedConnections joined) {
        assertThat(retransmitted(joined)).isZero();
        assertThat(joined.left.counters.get(ConnectionCounter.ACK_TIMEOUTS)).isZero();
        assertThat(joined.right.counters.get(ConnectionCounter.RX_DUPLICATES)).isZero();
    }

    private static long retransmitted(JoinedConnections joined) {
        return joined.left.counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                + joined.left.counters.get(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                + joined.left.counters.get(ConnectionCounter.TX_RETRANSMITTED_MOVED);
    }
}
