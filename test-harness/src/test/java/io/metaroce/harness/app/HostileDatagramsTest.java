// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.LaneCounter;
import io.metaroce.harness.sim.SeededRandom;
import io.metaroce.port.PortCounter;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.WriteHeaderFlyweight;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A daemon under fire: nothing hostile is placed, everything is counted, the transfer under way is right or says why not. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class HostileDatagramsTest {
    private static final int FOREIGN_DATAGRAMS = 100_000;
    private static final int PEER_DATAGRAMS = 20_000;
    private static final int DATAGRAMS_OF_A_TURN = 50;
    private static final int PAYLOAD_BYTES = 64;
    private static final long ENDLESS = Long.MAX_VALUE >> 1;
    private static final TransferPlan PLAN = new TransferPlan(TransferPlan.Operation.WRITE, 1 << 18, 16, 4, 42, true);

    private final SeededRandom random = new SeededRandom(20_261_201);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(2_048);
    private final UnsafeBuffer packet = new UnsafeBuffer(bytes);
    private final Crc32c crc = new Crc32c();
    private int thrown;

    @Test
    void aStrangersDatagramsAreCountedAndNeverPlaced() throws Exception {
        try (NodePair pair = new NodePair(PLAN, "127.0.0.1", "");
                DatagramChannel stranger = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.2", 0))) {
            pair.move(16);
            long heapBytes = usedHeapBytes();

            pair.moveUntil(() -> isFireOver(pair, stranger, FOREIGN_DATAGRAMS), ENDLESS);

            assertThat(pair.receiver.failure()).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(pair.sender.failure()).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(thrown).isEqualTo(FOREIGN_DATAGRAMS);
            assertThat(pair.receiver.wrongBytes()).isZero();
            assertThat(pair.receiver.lateBytes()).isZero();
            long missed = pair.server.count(PortCounter.RX_MISSED);
            awaitDrops(pair, FOREIGN_DATAGRAMS - missed);
            assertThat(drops(pair)).isBetween(FOREIGN_DATAGRAMS - missed, (long) FOREIGN_DATAGRAMS);
            assertThat(usedHeapBytes() - heapBytes).isLessThan(16L << 20);
        }
    }

    @Test
    void thePeersOwnAddressCanEndTheConnectionButNotHarmAByte() throws Exception {
        try (NodePair pair = new NodePair(PLAN, "127.0.0.1", "");
                DatagramChannel peer =
                        DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            pair.move(16);

            pair.moveUntil(() -> isFireOver(pair, peer, PEER_DATAGRAMS), ENDLESS);

            boolean hasFinished = thrown == PEER_DATAGRAMS && pair.sender.checked() == pair.sender.posted();
            boolean hasFailed = pair.receiver.failure() != CompletionStatus.SUCCESS
                    || pair.sender.failure() != CompletionStatus.SUCCESS;
            assertThat(hasFinished || hasFailed)
                    .as("it goes on or fails, but never hangs")
                    .isTrue();
            assertThat(pair.receiver.wrongBytes()).isZero();
        }
    }

    /** Throws a few datagrams for each turn of the transfer; over when all are thrown and all messages are checked. */
    private boolean isFireOver(NodePair pair, DatagramChannel from, int datagrams) {
        SocketAddress target = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), pair.server.ports().get(0).udpPort());
        for (int i = 0; i < DATAGRAMS_OF_A_TURN && thrown < datagrams; i++) {
            int length = random.below(2) == 0 ? randomBytes() : mutatedPacket(pair.toClient.localId());
            try {
                bytes.limit(length).position(0);
                from.send(bytes, target);
                thrown++;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        if (thrown < datagrams) {
            return false;
        }
        pair.sender.limit(pair.sender.posted());
        return pair.sender.checked() == pair.sender.posted();
    }

    private int randomBytes() {
        int length = 1 + random.below(1_400);
        for (int i = 0; i < length; i++) {
            packet.putByte(i, (byte) random.nextLong());
        }
        return length;
    }

    /** A packet of the live connection with some bytes changed and the checksum made right again. */
    private int mutatedPacket(int connectionId) {
        int length = random.below(3) == 0 ? probe(connectionId) : write(connectionId);
        int headerBytes = Math.min(length, DataFlyweight.LENGTH + WriteHeaderFlyweight.LENGTH);
        for (int changes = 1 + random.below(4); changes > 0; changes--) {
            packet.putByte(random.below(headerBytes), (byte) random.nextLong());
        }
        return crc.seal(packet, length);
    }

    private int probe(int connectionId) {
        ProbeFlyweight probe = new ProbeFlyweight();
        probe.wrap(packet, 0);
        probe.versionAndType(PacketType.PROBE);
        probe.flags(0);
        probe.pathId(random.below(8));
        probe.epoch(0);
        probe.connectionId(connectionId);
        probe.timestamp((int) random.nextLong());
        probe.paddingLength(0);
        return ProbeFlyweight.LENGTH;
    }

    private int write(int connectionId) {
        DataFlyweight data = new DataFlyweight();
        data.wrap(packet, 0);
        data.versionAndType(PacketType.DATA);
        data.flags(0);
        data.pathId(random.below(8));
        data.epoch(0);
        data.connectionId(connectionId);
        data.pathSequence(random.below(300));
        data.connectionSequence(random.below(20_000));
        data.timestamp((int) random.nextLong());
        data.streamId(0);
        data.opcode(Opcode.WRITE);
        data.backlog(0);
        data.messageSequence(random.below(100));
        data.payloadLength(PAYLOAD_BYTES);
        data.transmitCount(1);
        WriteHeaderFlyweight write = new WriteHeaderFlyweight();
        write.wrap(packet, DataFlyweight.LENGTH);
        write.remoteAddress(random.nextLong());
        write.rkey((int) random.nextLong());
        write.messageLength(PAYLOAD_BYTES);
        return DataFlyweight.LENGTH + WriteHeaderFlyweight.LENGTH + PAYLOAD_BYTES;
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
