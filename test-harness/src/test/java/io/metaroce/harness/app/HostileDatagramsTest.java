// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.LaneCounter;
import io.metaroce.port.PortCounter;
import io.metaroce.queue.CompletionStatus;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A daemon under fire: nothing hostile is placed, everything is counted, the transfer under way is right or says why not. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class HostileDatagramsTest {
    private static final int DATAGRAMS = 100_000;
    private static final int DATAGRAMS_OF_A_TURN = 50;
    private static final long SEED = 20_261_201;
    private static final long ENDLESS = Long.MAX_VALUE >> 1;
    private static final long HEAP_GROWTH_MAX_BYTES = 6L << 20;
    private static final long STALL_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final TransferPlan PLAN = new TransferPlan(TransferPlan.Operation.WRITE, 1 << 18, 16, 4, 42, true);

    @Test
    void aStrangersDatagramsAreCountedAndNeverPlaced() throws Exception {
        // MOP-RCV-5, MOP-SEC-6, MOP-SEC-7
        try (NodePair pair = new NodePair(PLAN, "127.0.0.1", "");
                HostilePackets stranger = new HostilePackets("127.0.0.2", port(pair), SEED)) {
            pair.move(16);
            long heapBytes = usedHeapBytes();

            pair.moveUntil(() -> isFireOver(pair, stranger), ENDLESS);

            assertThat(pair.receiver.failure()).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(pair.sender.failure()).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(stranger.thrown()).isEqualTo(DATAGRAMS);
            assertThat(pair.sender.checked()).isEqualTo(pair.sender.posted());
            assertThat(pair.receiver.wrongBytes()).isZero();
            assertThat(pair.receiver.lateBytes()).isZero();
            long missed = pair.server.count(PortCounter.RX_MISSED);
            awaitDrops(pair, DATAGRAMS - missed);
            assertThat(drops(pair)).isBetween(DATAGRAMS - missed, (long) DATAGRAMS);
            assertThat(usedHeapBytes() - heapBytes).isLessThan(HEAP_GROWTH_MAX_BYTES);
        }
    }

    @Test
    void thePeersOwnAddressCanEndTheConnectionButNotHarmAByte() throws Exception {
        // MOP-RCV-27, MOP-SEC-9
        try (NodePair pair = new NodePair(PLAN, "127.0.0.1", "");
                HostilePackets peer = new HostilePackets("127.0.0.1", port(pair), SEED)) {
            pair.move(16);

            pair.moveUntil(() -> isFireOver(pair, peer), ENDLESS);

            boolean hasFinished = peer.thrown() == DATAGRAMS && pair.sender.checked() == pair.sender.posted();
            boolean hasFailed = pair.receiver.failure() != CompletionStatus.SUCCESS
                    || pair.sender.failure() != CompletionStatus.SUCCESS;
            assertThat(hasFinished || hasFailed)
                    .as("it goes on or fails, but never hangs")
                    .isTrue();
            while (peer.thrown() < DATAGRAMS) {
                peer.throwAnything(pair.toClient.localId());
            }
            assertThat(pair.receiver.wrongBytes()).isZero();
            assertThat(pair.server.troubles(STALL_LIMIT_NS)).isEmpty();
            assertThat(anotherPayload(pair)).as("others can still connect").isPositive();
        }
    }

    private static int anotherPayload(NodePair pair) throws Exception {
        return pair.client
                .connect("127.0.0.1", pair.server.controlPort(), Duration.ofSeconds(20), line -> {})
                .ready()
                .get(20, TimeUnit.SECONDS);
    }

    private static int port(NodePair pair) {
        return pair.server.ports().get(0).udpPort();
    }

    /** Throws a few datagrams for each turn of the transfer; over when all are thrown and all messages are checked. */
    private static boolean isFireOver(NodePair pair, HostilePackets hostile) {
        for (int i = 0; i < DATAGRAMS_OF_A_TURN && hostile.thrown() < DATAGRAMS; i++) {
            hostile.throwAnything(pair.toClient.localId());
        }
        if (hostile.thrown() < DATAGRAMS) {
            return false;
        }
        pair.sender.limit(pair.sender.posted());
        return pair.sender.checked() == pair.sender.posted();
    }

    /** What the lane and the connection dropped, by whatever reason. */
    private static long drops(NodePair pair) {
        long drops = pair.toClient.counters().get(ConnectionCounter.RX_DROPPED_WRONG_SOURCE_ADDRESS);
        for (LaneCounter counter : LaneCounter.values()) {
            if (counter.name().startsWith("RX_DROPPED_")) {
                drops += pair.server.laneCounters(0).get(counter.ordinal());
            }
        }
        return drops;
    }

    private static void awaitDrops(NodePair pair, long wanted) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (drops(pair) < wanted && endNs - System.nanoTime() > 0) {
            Thread.onSpinWait();
        }
    }

    private static long usedHeapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
