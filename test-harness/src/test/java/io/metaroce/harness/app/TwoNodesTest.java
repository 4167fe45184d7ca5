// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.connect.PeerConnection;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.port.PortCounter;
import io.metaroce.wrap.FaultCounter;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole stack in one process: two nodes, real sockets on loopback, every byte checked. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TwoNodesTest {
    private static final int MESSAGES = 64;

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void aCleanTransferArrivesWholeWithoutRetransmission(String address) throws Exception {
        try (NodePair pair = new NodePair(plan(TransferPlan.Operation.WRITE, 1 << 20), address, "")) {
            pair.move(MESSAGES);

            assertAllRight(pair);
            assertThat(lost(pair.toServer)).isZero();
        }
    }

    @Test
    void onePacketInAHundredLostIsRepaired() throws Exception {
        try (NodePair pair = new NodePair(plan(TransferPlan.Operation.WRITE, 1 << 20), "127.0.0.1", "loss=1%,seed=7")) {
            pair.move(MESSAGES);

            assertAllRight(pair);
            assertThat(pair.client.count(FaultCounter.LOST_DATA)).isPositive();
            assertThat(lost(pair.toServer)).isPositive();
        }
    }

    @Test
    void packetsThatVanishOnTheWayAreNotUsedAndTheBlackHoleIsNamed() throws Exception {
        // MOP-PATH-4
        try (NodePair pair = new NodePair(plan(TransferPlan.Operation.WRITE, 1 << 18), "127.0.0.1", "mtu=1472")) {
            int payloadBytes = pair.toServer.ready().get(20, TimeUnit.SECONDS);
            pair.move(MESSAGES);

            assertAllRight(pair);
            assertThat(payloadBytes).isEqualTo(1_024);
            assertThat(pair.toServer.blackHole(payloadBytes))
                    .startsWith("packets of more than 1024 bytes of payload vanish on the way")
                    .contains("8192");
            assertThat(pair.client.count(FaultCounter.TOO_LONG)).isPositive();
            assertThat(pair.client.count(FaultCounter.TOO_LONG_DATA)).isZero();
        }
    }

    /** What net.core.rmem_max gives an unprivileged user of most distributions: 212,992 bytes, which the kernel doubles. */
    @Test
    void aSmallReceiveBufferIsNeverOverrun() throws Exception {
        try (NodePair pair = new NodePair(
                plan(TransferPlan.Operation.WRITE, 1 << 20), "127.0.0.1", "", "ports[0].receive_buffer=208KiB")) {
            assertThat(pair.server.ports().get(0).capabilities().receiveBufferBytes())
                    .isLessThanOrEqualTo(2 * 212_992);
            pair.move(4 * MESSAGES);

            assertAllRight(pair);
            assertThat(pair.server.count(PortCounter.RX_MISSED)).isZero();
            assertThat(pair.client.count(PortCounter.RX_MISSED)).isZero();
            assertThat(lost(pair.toServer)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 8191, 8192, 8193})
    void sendsOfThisLengthLandInTheReceivesPostedForThem(long bytes) throws Exception {
        // MOP-STR-6, MOP-STR-30
        try (NodePair pair = new NodePair(plan(TransferPlan.Operation.SEND, bytes), "127.0.0.1", "")) {
            pair.move(MESSAGES);

            assertAllRight(pair);
        }
    }

    /** Without the look at the end a byte placed twice in the last slots of a run would go unseen. */
    @Test
    void aByteWrittenIntoASlotStillHeldAtTheEndIsFound() throws Exception {
        try (NodePair pair = new NodePair(plan(TransferPlan.Operation.WRITE, 1 << 16), "127.0.0.1", "")) {
            pair.move(MESSAGES);
            pair.receiver.checkHeld();
            assertThat(pair.receiver.lateBytes()).isZero();

            UnsafeApi.putByte(pair.receiver.address() + 16L * (1 << 16) - 1, (byte) 1);
            pair.receiver.checkHeld();
            pair.receiver.checkHeld();

            assertThat(pair.receiver.lateBytes()).isOne();
        }
    }

    private static TransferPlan plan(TransferPlan.Operation operation, long messageBytes) {
        return new TransferPlan(operation, messageBytes, 16, 4, 42, true);
    }

    private static void assertAllRight(NodePair pair) {
        pair.receiver.checkHeld();
        assertThat(pair.receiver.wrongBytes()).isZero();
        assertThat(pair.receiver.lateBytes()).isZero();
        assertThat(pair.receiver.outOfTurn()).isZero();
    }

    /** Packets that an ACK or a probe proved lost; what a busy machine's timeouts copy to a sibling is not among them. */
    private static long lost(PeerConnection connection) {
        return connection.counters().get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                + connection.counters().get(ConnectionCounter.TX_RETRANSMITTED_PROBE);
    }
}
