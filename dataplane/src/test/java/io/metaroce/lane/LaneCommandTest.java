// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.LaneCounter;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneCommandTest {

    @Test
    void everyCommandIsAnsweredExactlyOnceWithItsNumber() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        LaneControl control = pair.left.lane.control();
        pair.connect(2);
        letPathsOpen(pair);

        control.fence(500);
        control.openStream(501, LanePair.LEFT_ID, pair.left.stream(1));
        control.openStream(502, LanePair.LEFT_ID, pair.left.stream(1));
        control.openStream(503, 999, pair.left.stream(1));
        control.closeStream(504, 999, 1);
        control.closeConnection(505, 999);
        control.setPlaneUsable(506, 3, false);
        control.removeMemory(507, 12345);
        control.installMemory(508, new Registration(pair.left.key, pair.left.memory.addressOffset(), 64, 0, 7));
        control.removeMemory(509, pair.left.key);
        control.setPeerPlanes(510, 999, 1, 1);
        control.setPeerPlanes(511, LanePair.LEFT_ID, 1, 1);
        pair.left.add(pair.left.spec(LanePair.LEFT_ID, 1, pair.right, 2));
        pair.turns(3);
        pair.left.takeEvents();

        assertThat(pair.left.events)
                .containsExactly(
                        "done 500",
                        "done 501",
                        "refused 502 STREAM",
                        "refused 503 UNKNOWN_CONNECTION",
                        "refused 504 UNKNOWN_CONNECTION",
                        "refused 505 UNKNOWN_CONNECTION",
                        "refused 506 UNKNOWN_PLANE",
                        "refused 507 UNKNOWN_KEY",
                        "refused 508 KEY_TAKEN",
                        "done 509",
                        "refused 510 UNKNOWN_CONNECTION",
                        "done 511",
                        "refused 3 ID_TAKEN");
        assertThat(pair.left.get(LaneCounter.MEMORY_REGIONS)).isZero();
    }

    @Test
    void aReaderWhoNeverReadsHoldsUpHisOwnCommandsAndNothingElse() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(2);
        letPathsOpen(pair);
        long before = pair.left.get(LaneCounter.COMMANDS);

        int sent = 0;
        for (int i = 0; i < 5_000; i++) {
            sent += pair.left.lane.control().fence(i) ? 1 : 0;
            pair.turn();
        }

        assertThat(pair.left.get(LaneCounter.COMMANDS) - before).isEqualTo(LaneSettings.SIMULATED.eventSlots());
        assertThat(sent).isEqualTo(LaneSettings.SIMULATED.eventSlots() + LaneSettings.SIMULATED.commandSlots());
        pair.left.takeEvents();
        pair.turns(100);
        pair.left.takeEvents();
        assertThat(pair.left.events.stream().filter(line -> line.startsWith("done")))
                .hasSizeGreaterThanOrEqualTo(sent);
    }

    @Test
    void aClosedStreamEndsWithItsEventAndAClosedConnectionWithIts() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(2);
        pair.openStream(4);

        pair.left.lane.control().closeStream(600, LanePair.LEFT_ID, 4);
        pair.runUntil(() -> pair.left.events.contains("stream closed " + LanePair.LEFT_ID + "/4"));
        pair.left.lane.control().closeConnection(601, LanePair.LEFT_ID);
        pair.runUntil(() -> pair.left.events.contains("finished " + LanePair.LEFT_ID));

        assertThat(pair.left.events)
                .containsSubsequence(
                        "done 600",
                        "stream closed " + LanePair.LEFT_ID + "/4",
                        "lost " + LanePair.LEFT_ID + " closed",
                        "done 601",
                        "finished " + LanePair.LEFT_ID);
        assertThat(pair.left.get(LaneCounter.CONNECTIONS)).isZero();
    }

    @Test
    void connectionsComeAndGoByTheThousandAndTheirIdsRestAfterwards() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        for (int i = 1; i <= 1_000; i++) {
            pair.left.add(pair.left.spec(i, i, pair.right, 1));
            pair.left.lane.control().closeConnection(i, i);
            pair.turn();
            pair.left.takeEvents();
        }
        pair.left.add(pair.left.spec(1_000, 1, pair.right, 1));
        pair.turn();
        pair.left.events.clear();
        pair.left.takeEvents();

        assertThat(pair.left.get(LaneCounter.CONNECTIONS)).isZero();
        assertThat(pair.left.events).anyMatch(line -> line.endsWith("ID_QUARANTINED"));
    }

    @Test
    void aSpecificationThatContradictsTheLaneIsTheCallersError() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        LanePair wide = new LanePair(2, LaneSettings.SIMULATED);
        ConnectionSpec twoPlanes = wide.left.spec(1, 2, wide.right, 2);

        assertThatThrownBy(() -> pair.left.lane.control().addConnection(1, twoPlanes, ConnectionCounters.inProcess(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the connection names 2 planes, the lane has 1");
    }

    @Test
    void commandsThatCameTooLateAreRefusedBeforeTheLanesLastEvent() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(2);
        pair.openStream(4);
        pair.left.takeEvents();
        pair.left.events.clear();

        pair.left.lane.control().fence(700);
        pair.left.lane.stop(pair.nowNs);
        pair.left.takeEvents();

        assertThat(pair.left.events)
                .isEqualTo(List.of(
                        "lost " + LanePair.LEFT_ID + " closed",
                        "finished " + LanePair.LEFT_ID,
                        "refused 700 LANE_STOPPED",
                        "ended stopped stop requested"));
        assertThat(pair.left.lane.state()).isEqualTo(LaneState.STOPPED);
        assertThat(pair.left.ports[0].isClosed).isTrue();
    }

    @Test
    void idsAreDrawnFromTheWholeRangeAndNeverZero() {
        // MOP-SEC-1
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);

        int union = 0;
        int intersection = -1;
        for (int i = 0; i < 200; i++) {
            int id = pair.left.lane.control().newConnectionId();
            assertThat(id).isNotZero();
            union |= id;
            intersection &= id;
        }

        assertThat(union).as("every bit is set some time").isEqualTo(-1);
        assertThat(intersection).as("no bit is always set").isZero();
    }

    /** Paths beside the first become active after the connection is ready; their events would stand between answers. */
    private static void letPathsOpen(LanePair pair) {
        pair.turns(1_000);
        pair.left.takeEvents();
        pair.left.events.clear();
    }
}
