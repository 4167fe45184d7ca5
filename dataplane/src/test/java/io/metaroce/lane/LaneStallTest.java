// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.LaneCounter;
import io.metaroce.queue.CompletionStatus;
import org.junit.jupiter.api.Test;

class LaneStallTest {
    private static final long STALL_BOUND_NS = 1_000_000;
    private static final LaneSettings SETTINGS =
            new LaneSettings(64, 32, 4, 256, 256, 16, 64, 1_024, STALL_BOUND_NS, 60_000_000_000L, 256);

    @Test
    void aStallInTheMiddleOfATransferCausesNoTimeoutAndNoRetransmission() {
        LanePair pair = new LanePair(1, SETTINGS);
        ConnectionCounters counters = pair.connect(2);
        StreamSpec stream = pair.openStream(1);
        post(pair, stream, 16);
        pair.turns(3);

        // The left lane stands still for a second, far above every timeout; the right one goes on and answers.
        for (int i = 0; i < 100; i++) {
            pair.nowNs += 10_000_000;
            pair.right.lane.doWork(pair.nowNs);
        }
        complete(pair, stream, 16);

        assertThat(counters.get(ConnectionCounter.ACK_TIMEOUTS)).isZero();
        assertThat(counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                        + counters.get(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                        + counters.get(ConnectionCounter.TX_RETRANSMITTED_MOVED))
                .isZero();
        assertThat(pair.left.get(LaneCounter.STALLS)).isEqualTo(1);
        assertThat(pair.left.get(LaneCounter.STALLED_NS)).isEqualTo(1_000_000_000L + pair.stepNs - STALL_BOUND_NS);
        assertThat(pair.left.events).anyMatch(line -> line.startsWith("stalled "));
    }

    @Test
    void bothLanesStallingTogetherForLongerThanTheConnectionTimeoutLoseNothing() {
        // MOP-PATH-30
        LanePair pair = new LanePair(1, SETTINGS);
        ConnectionCounters counters = pair.connect(2);
        StreamSpec stream = pair.openStream(1);
        post(pair, stream, 16);
        pair.turns(3);

        pair.nowNs += 20_000_000_000L;
        complete(pair, stream, 16);

        assertThat(counters.get(ConnectionCounter.ACK_TIMEOUTS)).isZero();
    }

    @Test
    void aLoopThatIsAlwaysSlowStillSeesTimeoutsAndALostPeer() {
        LanePair pair = new LanePair(1, SETTINGS);
        pair.connect(2);
        StreamSpec stream = pair.openStream(1);
        post(pair, stream, 1);
        pair.stepNs = 3 * STALL_BOUND_NS;

        int turns = 0;
        while (pair.left.events.stream().noneMatch(line -> line.startsWith("lost")) && turns < 100_000) {
            pair.nowNs += pair.stepNs;
            pair.left.lane.doWork(pair.nowNs);
            pair.left.takeEvents();
            turns++;
        }

        assertThat(pair.left.events).contains("lost " + LanePair.LEFT_ID + " timeout");
        assertThat(turns).as("a bound of time passes in every turn").isLessThan(20_000);
    }

    @Test
    void aGapWithinTheBoundIsNoStall() {
        LanePair pair = new LanePair(1, SETTINGS);
        pair.connect(2);

        pair.nowNs += STALL_BOUND_NS - pair.stepNs;
        pair.turn();

        assertThat(pair.left.get(LaneCounter.STALLS)).isZero();
        assertThat(pair.left.get(LaneCounter.CYCLE_MAX_NS)).isEqualTo(STALL_BOUND_NS);
    }

    private static void post(LanePair pair, StreamSpec stream, int messages) {
        for (int i = 0; i < messages; i++) {
            assertThat(pair.left.postWrite(stream, i, 0, 256 << 10, pair.right)).isTrue();
        }
    }

    private static void complete(LanePair pair, StreamSpec stream, int messages) {
        int[] completed = {0};
        pair.runUntil(() -> {
            while (pair.left.takeCompletion(stream, CompletionStatus.SUCCESS, completed[0])) {
                completed[0]++;
            }
            return completed[0] == messages;
        });
    }
}
