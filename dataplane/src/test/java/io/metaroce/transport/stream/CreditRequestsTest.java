// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import org.junit.jupiter.api.Test;

@Proves({"MOP-STR-35", "MOP-STR-36"})
class CreditRequestsTest {
    private static final long ROUND_TRIP_NS = 30_000;

    private final CreditRequests requests = new CreditRequests();

    @Test
    void aBlockedSenderAsksAfterARoundTripThenAtDoublingIntervalsUpToATenthOfASecond() {
        requests.onTurn(true, ROUND_TRIP_NS, 0);
        long nowNs = 0;
        long intervalNs = ROUND_TRIP_NS;
        for (int i = 0; i < 20; i++) {
            assertThat(requests.nextDeadlineNs()).isEqualTo(nowNs + intervalNs);
            assertThat(requests.isRequestDue(nowNs + intervalNs - 1)).isFalse();
            nowNs += intervalNs;
            assertThat(requests.isRequestDue(nowNs)).isTrue();
            requests.onRequestSent(nowNs);
            assertThat(requests.isRequestDue(nowNs)).isFalse();
            intervalNs = Math.min(2 * intervalNs, 100_000_000);
        }
    }

    @Test
    void oneThatIsNotBlockedAsksNothing() {
        requests.onTurn(true, ROUND_TRIP_NS, 0);
        requests.onTurn(false, ROUND_TRIP_NS, 10);

        assertThat(requests.isRequestDue(Long.MAX_VALUE)).isFalse();
        assertThat(requests.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(requests.isExhausted(0, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void patienceEndsWhenTheTimeHasPassedSinceItWasBlockedHoweverOftenItWasAnswered() {
        requests.onTurn(true, ROUND_TRIP_NS, 1_000);
        requests.onAnswer();
        requests.onTurn(true, ROUND_TRIP_NS, 5_000_000);

        assertThat(requests.isAnswered()).isTrue();
        assertThat(requests.isExhausted(5_000_000_000L, 5_000_000_999L)).isFalse();
        assertThat(requests.isExhausted(5_000_000_000L, 5_000_001_000L)).isTrue();
    }

    @Test
    void newCreditBeginsPatienceAnewAndAnAnswerIsForgotten() {
        requests.onTurn(true, ROUND_TRIP_NS, 0);
        requests.onAnswer();
        requests.onCredit();
        requests.onTurn(true, ROUND_TRIP_NS, 4_000_000_000L);

        assertThat(requests.isAnswered()).isFalse();
        assertThat(requests.isExhausted(5_000_000_000L, 6_000_000_000L)).isFalse();
    }

    @Test
    @Proves("MOP-LOSS-25")
    void aStallOfTheOwnLoopIsNotThePeersSilence() {
        requests.onTurn(true, ROUND_TRIP_NS, 0);
        requests.onStall(1_000_000_000L);

        assertThat(requests.nextDeadlineNs()).isEqualTo(1_000_000_000L + ROUND_TRIP_NS);
        assertThat(requests.isExhausted(5_000_000_000L, 5_500_000_000L)).isFalse();
    }
}
