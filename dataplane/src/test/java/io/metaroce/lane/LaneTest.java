// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.LaneCounter;
import io.metaroce.port.Ecn;
import io.metaroce.queue.CompletionStatus;
import org.junit.jupiter.api.Test;

class LaneTest {
    private static final int MESSAGE_BYTES = 256 << 10;

    @Test
    void bytesWrittenThroughTwoLanesArriveAndCompleteInOrder() {
        // MOP-STR-11, MOP-PATH-3, MOP-PATH-4, MOP-PATH-5, MOP-PATH-8
        LanePair pair = new LanePair(2, LaneSettings.SIMULATED);
        ConnectionCounters counters = pair.connect(4);
        StreamSpec stream = pair.openStream(3);

        write(pair, stream, 20);

        assertThat(pair.right.memory.compareTo(pair.left.memory)).isZero();
        assertThat(counters.get(ConnectionCounter.ACK_TIMEOUTS)).isZero();
        assertThat(pair.left.get(LaneCounter.TX_PACKETS)).isEqualTo(pair.right.get(LaneCounter.RX_PACKETS));
        assertThat(pair.left.get(LaneCounter.TX_BYTES)).isEqualTo(pair.right.get(LaneCounter.RX_BYTES));
    }

    @Test
    void everyPlaneCarriesPacketsFromSourcePortsOfItsPoolMarkedEcnCapable() {
        // MOP-ENC-12, MOP-ENC-17, MOP-PATH-1, MOP-PATH-18
        LanePair pair = new LanePair(4, LaneSettings.SIMULATED);
        pair.connect(8);
        StreamSpec stream = pair.openStream(3);

        write(pair, stream, 10);

        for (JoinedPort port : pair.left.ports) {
            assertThat(port.transmitted).isGreaterThan(100);
            assertThat(port.lastLocalPort).isBetween(port.sourcePort(0), port.sourcePort(JoinedPort.SOURCE_PORTS - 1));
            assertThat(port.lastFlags & Ecn.MASK).isEqualTo(Ecn.ECT_0);
        }
    }

    @Test
    void aPortThatTakesOnePacketAtATimeLosesNone() {
        LanePair pair = new LanePair(2, LaneSettings.SIMULATED);
        pair.connect(4);
        StreamSpec stream = pair.openStream(3);
        for (JoinedPort port : pair.left.ports) {
            port.transmitMax = 1;
        }

        write(pair, stream, 4);

        assertThat(pair.right.memory.compareTo(pair.left.memory)).isZero();
        assertThat(pair.left.get(LaneCounter.TX_DEFERRED)).isPositive();
        assertThat(pair.left.get(LaneCounter.TX_PACKETS)).isEqualTo(pair.right.get(LaneCounter.RX_PACKETS));
    }

    @Test
    void aPortThatSometimesHasNoBufferLosesNoPacket() {
        LanePair pair = new LanePair(2, LaneSettings.SIMULATED);
        ConnectionCounters counters = pair.connect(4);
        StreamSpec stream = pair.openStream(3);
        fill(pair.left);
        JoinedPort scarce = pair.left.ports[0];

        int completed = 0;
        post(pair, stream, 8);
        for (int turn = 0; completed < 8 && turn < 100_000; turn++) {
            scarce.buffersMax = turn % 3 == 0 ? 1 : 0;
            pair.turn();
            completed += pair.left.takeCompletion(stream, CompletionStatus.SUCCESS, completed) ? 1 : 0;
        }

        assertThat(completed).isEqualTo(8);
        assertThat(pair.right.memory.compareTo(pair.left.memory)).isZero();
        assertThat(pair.left.get(LaneCounter.TX_NO_BUFFER)).isPositive();
        assertThat(counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)).isZero();
    }

    @Test
    void aPortThatTakesNothingForAWhileGetsEveryPacketAfterwardsInOrder() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        ConnectionCounters counters = pair.connect(2);
        StreamSpec stream = pair.openStream(3);
        fill(pair.left);
        pair.left.ports[0].transmitMax = 0;
        post(pair, stream, 4);

        pair.turns(100);
        long deferred = pair.left.get(LaneCounter.TX_DEFERRED);
        pair.left.ports[0].transmitMax = Integer.MAX_VALUE;
        complete(pair, stream, 0, 4);

        assertThat(deferred).isPositive();
        assertThat(counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)).isZero();
        assertThat(pair.right.memory.compareTo(pair.left.memory)).isZero();
    }

    @Test
    void aPlaneWhoseLinkGoesDownIsToldInTheSameCycleAndTheOthersCarryOn() {
        // MOP-PATH-22
        LanePair pair = new LanePair(2, LaneSettings.SIMULATED);
        pair.connect(4);
        StreamSpec stream = pair.openStream(3);
        fill(pair.left);
        post(pair, stream, 20);
        pair.turns(20);

        pair.left.ports[1].isUp = false;
        pair.turn();
        pair.left.takeEvents();
        complete(pair, stream, 0, 20);

        assertThat(pair.left.events).contains("plane 1 down");
        assertThat(pair.left.events)
                .contains(
                        "path " + LanePair.LEFT_ID + "/1 denied plane_down",
                        "path " + LanePair.LEFT_ID + "/3 denied plane_down");
        assertThat(pair.right.memory.compareTo(pair.left.memory)).isZero();
    }

    @Test
    void aPlaneTakenOutByCommandIsDeniedAndComesBack() {
        LanePair pair = new LanePair(2, LaneSettings.SIMULATED);
        pair.connect(4);

        pair.left.lane.control().setPlaneUsable(90, 0, false);
        pair.turn();
        pair.left.lane.control().setPlaneUsable(91, 0, true);
        pair.runUntil(() -> pair.left.events.contains("path " + LanePair.LEFT_ID + "/0 active probes_answered"));

        assertThat(pair.left.events).contains("plane 0 down", "done 90", "plane 0 up", "done 91");
    }

    @Test
    void noBufferIsLostOverAWholeLife() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        int free = pair.left.ports[0].freeBuffers();
        pair.connect(2);
        StreamSpec stream = pair.openStream(3);
        pair.left.ports[0].loses = packet -> packet % 10 == 3;
        write(pair, stream, 20);
        pair.left.lane.control().closeConnection(80, LanePair.LEFT_ID);
        pair.right.lane.control().closeConnection(80, LanePair.RIGHT_ID);
        pair.runUntil(() -> pair.left.events.contains("finished " + LanePair.LEFT_ID)
                && pair.right.events.contains("finished " + LanePair.RIGHT_ID));
        pair.turns(3);

        pair.left.lane.stop(pair.nowNs);
        pair.right.lane.stop(pair.nowNs);

        assertThat(pair.left.ports[0].freeBuffers()).isEqualTo(free);
        assertThat(pair.left.ports[0].isClosed).isTrue();
    }

    @Test
    void hostilePacketsAreCountedByReasonAndTouchNothing() {
        // MOP-ENC-22, MOP-RCV-3, MOP-RCV-29, MOP-SEC-5, MOP-SEC-6, MOP-SEC-10
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(2);

        pair.right.ports[0].inject(new byte[] {1, 2, 3});
        byte[] otherVersion = new byte[60];
        otherVersion[0] = 0x20;
        pair.right.ports[0].inject(otherVersion);
        byte[] badChecksum = new byte[60];
        badChecksum[0] = 0x10;
        pair.right.ports[0].inject(badChecksum);
        pair.turn();

        assertThat(pair.right.get(LaneCounter.RX_DROPPED_TOO_SHORT)).isEqualTo(1);
        assertThat(pair.right.get(LaneCounter.RX_DROPPED_UNKNOWN_VERSION)).isEqualTo(1);
        assertThat(pair.right.get(LaneCounter.RX_DROPPED_BAD_CHECKSUM)).isEqualTo(1);
    }

    @Test
    void packetsForNobodyAndForOneWhoLeftAreToldApart() {
        // MOP-RCV-5, MOP-RCV-28, MOP-PKT-6
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.left.add(pair.left.spec(LanePair.LEFT_ID, LanePair.RIGHT_ID, pair.right, 2));
        pair.turns(10);
        long toNobody = pair.right.get(LaneCounter.RX_DROPPED_UNKNOWN_CONNECTION);

        pair.right.add(pair.right.spec(LanePair.RIGHT_ID, LanePair.LEFT_ID, pair.left, 2));
        pair.runUntil(() -> pair.left.readyConnections.contains(LanePair.LEFT_ID));
        StreamSpec stream = pair.openStream(1);
        pair.right.lane.control().closeConnection(80, LanePair.RIGHT_ID);
        post(pair, stream, 3);
        pair.stepNs = 100_000;
        pair.runUntil(() -> pair.left.events.contains("lost " + LanePair.LEFT_ID + " timeout"));
        pair.turns(2);

        assertThat(stream.sendCompletions().available()).as("none is forgotten").isEqualTo(3);
        assertThat(toNobody).isPositive();
        assertThat(pair.right.get(LaneCounter.RX_DROPPED_CLOSED_CONNECTION)).isPositive();
    }

    @Test
    void allGivesEveryConnectionItsTurnWhenOneNeverStops() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(2);
        StreamSpec greedy = pair.openStream(1);
        fill(pair.left);
        pair.left.add(pair.left.spec(31, 32, pair.right, 2));
        pair.right.add(pair.right.spec(32, 31, pair.left, 2));
        StreamSpec modest = pair.left.stream(2);
        pair.left.lane.control().openStream(70, 31, modest);
        pair.right.lane.control().openStream(71, 32, pair.right.stream(2));
        pair.runUntil(() -> pair.left.readyConnections.contains(31));

        pair.left.postWrite(modest, 0, 0, 4_096, pair.right);
        boolean isModestDone = false;
        int greedyDone = 0;
        for (int turn = 0; !isModestDone && turn < 1_000; turn++) {
            while (pair.left.postWrite(greedy, turn, 0, MESSAGE_BYTES, pair.right)) {
                assertThat(turn).isLessThan(1_000);
            }
            pair.turn();
            while (greedy.sendCompletions().available() > 0) {
                greedy.sendCompletions().release();
                greedyDone++;
            }
            isModestDone = pair.left.takeCompletion(modest, CompletionStatus.SUCCESS, 0);
        }

        assertThat(isModestDone).isTrue();
        assertThat(greedyDone).isLessThan(100);
    }

    private static void write(LanePair pair, StreamSpec stream, int messages) {
        fill(pair.left);
        post(pair, stream, messages);
        complete(pair, stream, 0, messages);
    }

    private static void fill(LaneHost host) {
        for (int i = 0; i < LaneHost.MEMORY_BYTES; i++) {
            host.memory.putByte(i, (byte) (i * 31 + (i >>> 8)));
        }
    }

    private static void post(LanePair pair, StreamSpec stream, int messages) {
        for (int i = 0; i < messages; i++) {
            int offset = i * MESSAGE_BYTES % LaneHost.MEMORY_BYTES;
            assertThat(pair.left.postWrite(stream, i, offset, MESSAGE_BYTES, pair.right))
                    .isTrue();
        }
    }

    private static void complete(LanePair pair, StreamSpec stream, int first, int messages) {
        int[] completed = {first};
        pair.runUntil(() -> {
            while (pair.left.takeCompletion(stream, CompletionStatus.SUCCESS, completed[0])) {
                completed[0]++;
            }
            return completed[0] == first + messages;
        });
    }
}
