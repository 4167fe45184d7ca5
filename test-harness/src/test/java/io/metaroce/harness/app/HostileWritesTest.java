// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import static io.metaroce.harness.app.HostilePackets.PAYLOAD_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.PathCounter;
import io.metaroce.memory.AccessFlags;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writes from the peer's own address, with the right key and in their turn, that reach over the edge of the region. Each
 * test first proves with a write inside that its packets are taken; then not a byte around the region may change.
 *
 * <pre>
 *     | guard 4096 | region 4096 | guard 4096 |
 * </pre>
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostileWritesTest {
    private static final int REGION_BYTES = 4096;
    private static final int GUARD_BYTES = 4096;
    private static final byte UNTOUCHED = (byte) 0xa5;
    private static final int MUTATIONS = 200;
    private static final int SEEDS = 40;
    private static final int MESSAGES = 16;
    private static final TransferPlan PLAN =
            new TransferPlan(TransferPlan.Operation.WRITE, 1 << 16, MESSAGES, 4, 42, true);

    private enum Edge {
        ONE_BYTE_BEFORE(-1),
        ALL_BUT_ONE_BYTE_BEFORE(1 - PAYLOAD_BYTES),
        ALL_BEFORE(-PAYLOAD_BYTES),
        ONE_BYTE_BEHIND(REGION_BYTES - PAYLOAD_BYTES + 1),
        ALL_BUT_ONE_BYTE_BEHIND(REGION_BYTES - 1),
        ALL_BEHIND(REGION_BYTES),
        FAR_BEHIND(1L << 32),
        OTHER_HALF_OF_THE_ADDRESSES(Long.MIN_VALUE),
        /** Address plus length wraps around to the bottom of memory. */
        END_OF_ALL_ADDRESSES(0) {
            @Override
            long address(long regionAddress) {
                return -PAYLOAD_BYTES / 2;
            }
        };

        private final long offset;

        Edge(long offset) {
            this.offset = offset;
        }

        long address(long regionAddress) {
            return regionAddress + offset;
        }
    }

    @ParameterizedTest
    @EnumSource(Edge.class)
    void aWriteOverTheEdgeIsRefusedWholeAndByName(Edge edge) throws Exception {
        // MOP-STR-5, MOP-STR-18
        try (NodePair pair = new NodePair(PLAN, "127.0.0.1", "");
                Guarded guarded = new Guarded(pair.serverDomain);
                HostilePackets peer = new HostilePackets("127.0.0.1", port(pair), edge.ordinal())) {
            pair.move(MESSAGES);
            proveThatAWriteInsideIsPlaced(pair, guarded, peer);

            peer.throwWrite(pair.toClient.localId(), next(pair, 1, 0), guarded.target(edge.address(guarded.address())));

            await(() -> pair.toClient.counters().get(ConnectionCounter.ERRORS_ISSUED) > 0);
            assertThat(guarded.touchedAround()).isZero();
            assertThat(guarded.touchedInside()).isEqualTo(PAYLOAD_BYTES);
            assertThat(pair.server.troubles(TimeUnit.SECONDS.toNanos(5))).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void mutatedWritesAroundTheEdgesTouchNothingOutside(long seed) throws Exception {
        // MOP-RCV-27, MOP-SEC-4
        try (NodePair pair = new NodePair(PLAN, "127.0.0.1", "");
                Guarded guarded = new Guarded(pair.serverDomain);
                HostilePackets peer = new HostilePackets("127.0.0.1", port(pair), seed)) {
            pair.move(MESSAGES);
            proveThatAWriteInsideIsPlaced(pair, guarded, peer);

            for (int i = 0; i < MUTATIONS; i++) {
                long offset = peer.random.between(-PAYLOAD_BYTES, REGION_BYTES + PAYLOAD_BYTES);
                peer.throwMutatedWrite(
                        pair.toClient.localId(), next(pair, 1, i), guarded.target(guarded.address() + offset));
            }

            await(() -> pair.toClient.counters().get(ConnectionCounter.ERRORS_ISSUED) > 0
                    || pair.toClient.closed().isDone());
            assertThat(guarded.touchedAround()).as("seed %d", seed).isZero();
            assertThat(pair.server.troubles(TimeUnit.SECONDS.toNanos(5))).isEmpty();
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    private static void proveThatAWriteInsideIsPlaced(NodePair pair, Guarded guarded, HostilePackets peer) {
        peer.throwWrite(
                pair.toClient.localId(),
                next(pair, 0, 0),
                guarded.target(guarded.address() + REGION_BYTES - PAYLOAD_BYTES));
        await(() -> guarded.touchedInside() == PAYLOAD_BYTES);
        await(() -> taken(pair) > 0);
        assertThat(guarded.touchedAround()).isZero();
    }

    /** The place of the packet {@code ahead} of the next one, {@code extra} messages behind those of the transfer. */
    private static HostilePackets.Place next(NodePair pair, int extra, int ahead) {
        int path = ahead % pair.toClient.counters().pathCount();
        int pathSequence = (int) pair.toClient.counters().get(PathCounter.RX_PACKETS, path);
        return new HostilePackets.Place(path, pathSequence, taken(pair) + ahead, MESSAGES + extra + ahead);
    }

    private static int taken(NodePair pair) {
        long packets = -pair.toClient.counters().get(ConnectionCounter.RX_DUPLICATES);
        for (int path = 0; path < pair.toClient.counters().pathCount(); path++) {
            packets += pair.toClient.counters().get(PathCounter.RX_PACKETS, path);
        }
        return (int) packets;
    }

    private static int port(NodePair pair) {
        return pair.server.ports().get(0).udpPort();
    }

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean() && endNs - System.nanoTime() > 0) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    /** A region in the middle of memory whose other bytes belong to nobody. */
    private static final class Guarded implements AutoCloseable {
        private final long allocation = UnsafeApi.allocateMemory(REGION_BYTES + 2 * GUARD_BYTES);
        private final MemoryRegion region;

        Guarded(ProtectionDomain domain) {
            UnsafeApi.setMemory(allocation, REGION_BYTES + 2 * GUARD_BYTES, UNTOUCHED);
            region = domain.registerMemory(
                    allocation + GUARD_BYTES, REGION_BYTES, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        }

        long address() {
            return region.address();
        }

        HostilePackets.Target target(long address) {
            return new HostilePackets.Target(address, region.rkey(), PAYLOAD_BYTES);
        }

        int touchedAround() {
            return touched(allocation, GUARD_BYTES) + touched(region.address() + REGION_BYTES, GUARD_BYTES);
        }

        int touchedInside() {
            return touched(region.address(), REGION_BYTES);
        }

        private static int touched(long address, int length) {
            int touched = 0;
            for (int i = 0; i < length; i++) {
                byte found = UnsafeApi.getByte(address + i);
                touched += found != UNTOUCHED ? 1 : 0;
            }
            return touched;
        }

        @Override
        public void close() {
            region.close();
            UnsafeApi.freeMemory(allocation);
        }
    }
}
