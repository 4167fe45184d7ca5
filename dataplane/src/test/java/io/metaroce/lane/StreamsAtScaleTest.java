// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** 4,096 streams of one connection: none waits for another, and each gets its share. */
class StreamsAtScaleTest {
    private static final int STREAMS = 4_096;
    private static final int DEPTH = 4;
    private static final int MESSAGE_BYTES = 4_096;
    private static final int DOMAIN = 7;
    private static final int TURNS_MAX = 200_000;
    private static final int RING_BYTES = (SlotRing.bytesFor(DEPTH) + 63) & -64;

    private final LanePair pair =
            new LanePair(2, new LaneSettings(8, 32, 4, 256, 8_192, 16, 64, 1_024, Long.MAX_VALUE, 60_000_000_000L, 64));
    private final UnsafeBuffer rings = new UnsafeBuffer(BufferUtil.allocateDirectAligned(4 * STREAMS * RING_BYTES, 64));
    private final SlotRing[] sends = new SlotRing[STREAMS];
    private final SlotRing completions;
    private final UnsafeBuffer completionMemory;
    private final WorkRequestSlot request = new WorkRequestSlot();
    private final CompletionSlot completion = new CompletionSlot();
    private final int[] completed = new int[STREAMS];
    private final int[] posted = new int[STREAMS];
    private int ringsMade;

    StreamsAtScaleTest() {
        int slots = 4 * STREAMS;
        completionMemory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(2 * SlotRing.bytesFor(slots), 64));
        completions = completionQueue(0, slots);
        SlotRing unused = completionQueue(SlotRing.bytesFor(slots), slots);
        connect();
        for (int stream = 0; stream < STREAMS; stream++) {
            sends[stream] = ring();
            open(
                    pair.left,
                    LanePair.LEFT_ID,
                    new StreamSpec(stream, 100 + stream, DOMAIN, sends[stream], ring(), completions, completions));
            open(
                    pair.right,
                    LanePair.RIGHT_ID,
                    new StreamSpec(stream, 100 + stream, DOMAIN, ring(), ring(), unused, unused));
        }
    }

    @Test
    void aStreamThatWaitsForCreditAndOneThatWaitsForItsRepairHoldNobodyUp() {
        // Stream 0 waits for a receive that nobody posts; the rest must not.
        post(0, WorkRequestOpcode.RDMA_WRITE_WITH_IMM);
        for (int stream = 1; stream < STREAMS; stream++) {
            post(stream, WorkRequestOpcode.RDMA_WRITE);
        }
        int first = pair.left.ports[0].transmitted;
        pair.left.ports[0].loses = packet -> packet == first + 10;

        runUntil(STREAMS - 2);
        runUntil(STREAMS - 1);

        assertThat(completed[0]).isZero();
        assertThat(Arrays.stream(completed).skip(1)).allMatch(count -> count == 1);
    }

    @Test
    void streamsThatAllHaveWorkAreServedEvenly() {
        for (int round = 0; round < DEPTH; round++) {
            for (int stream = 0; stream < STREAMS; stream++) {
                post(stream, WorkRequestOpcode.RDMA_WRITE);
            }
        }
        runUntil(2 * STREAMS);

        int least = Arrays.stream(completed).min().orElseThrow();
        int most = Arrays.stream(completed).max().orElseThrow();
        assertThat(most - least)
                .as("completions between %d and %d", least, most)
                .isLessThanOrEqualTo(1);
        runUntil(DEPTH * STREAMS);
    }

    @Test
    void oneBusyStreamAmongThousandsOfIdleOnesIsServedToTheEnd() {
        int total = 0;
        for (int turn = 0; turn < TURNS_MAX && total < 200; turn++) {
            if (posted[77] - completed[77] < DEPTH) {
                post(77, WorkRequestOpcode.RDMA_WRITE);
            }
            pair.turn();
            total += take();
        }
        assertThat(completed[77]).isEqualTo(200);
    }

    private void connect() {
        ConnectionCounters left = add(pair.left, pair.right, LanePair.LEFT_ID, LanePair.RIGHT_ID);
        add(pair.right, pair.left, LanePair.RIGHT_ID, LanePair.LEFT_ID);
        pair.runUntil(() -> pair.left.readyConnections.contains(LanePair.LEFT_ID)
                && pair.right.readyConnections.contains(LanePair.RIGHT_ID));
        assertThat(left.pathCount()).isEqualTo(8);
    }

    private static ConnectionCounters add(LaneHost host, LaneHost peer, int localId, int remoteId) {
        ConnectionSpec usual = host.spec(localId, remoteId, peer, 8);
        return host.add(new ConnectionSpec(
                localId,
                remoteId,
                usual.planes(),
                8,
                4_096,
                DEPTH,
                4_096,
                STREAMS,
                4 << 20,
                usual.timing(),
                usual.congestion(),
                localId,
                ConnectionSpec.Sabotage.NONE));
    }

    private void open(LaneHost host, int connectionId, StreamSpec stream) {
        while (!host.lane.control().openStream(host.nextCorrelation(), connectionId, stream)) {
            pair.turn();
            host.takeEvents();
        }
        if (stream.streamId() % 16 == 0) {
            pair.turn();
            host.takeEvents();
        }
    }

    private void post(int stream, WorkRequestOpcode opcode) {
        assertThat(sends[stream].canProduce()).isTrue();
        sends[stream].claim(request);
        request.id(stream);
        request.opcode(opcode);
        request.flags(SendFlags.SIGNALED);
        request.immediate(0);
        request.local(pair.left.key, pair.left.memory.addressOffset(), MESSAGE_BYTES);
        request.remote(pair.right.key, pair.right.memory.addressOffset());
        sends[stream].publish();
        posted[stream]++;
    }

    private void runUntil(int total) {
        for (int turn = 0; turn < TURNS_MAX && Arrays.stream(completed).sum() < total; turn++) {
            pair.turn();
            take();
        }
        assertThat(Arrays.stream(completed).sum()).isGreaterThanOrEqualTo(total);
    }

    private int take() {
        int count = 0;
        while (completions.available() > 0) {
            completions.peek(completion);
            assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
            completed[(int) completion.id()]++;
            completions.release();
            count++;
        }
        return count;
    }

    private SlotRing ring() {
        long address = rings.addressOffset() + (long) ringsMade++ * RING_BYTES;
        SlotRing.format(address, DEPTH);
        return new SlotRing(address, SlotRing.bytesFor(DEPTH));
    }

    private SlotRing completionQueue(int offset, int slots) {
        SlotRing.format(completionMemory.addressOffset() + offset, slots);
        return new SlotRing(completionMemory.addressOffset() + offset, SlotRing.bytesFor(slots));
    }
}
