// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryKey;
import io.metaroce.port.PacketPort;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** One host of a pair: a lane, an application with one registration, and a control thread that writes events down. */
final class LaneHost {
    static final int MEMORY_BYTES = 1 << 20;
    private static final int RING_SLOTS = 256;
    private static final int DOMAIN = 7;

    final JoinedPort[] ports;
    final CounterBlock counters = new CounterBlock(
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(CounterBlock.bytesFor(LaneCounter.count()), 64)),
            0,
            LaneCounter.count());
    final Lane lane;
    final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(MEMORY_BYTES, 64));
    final int key;
    final List<String> events = new ArrayList<>();
    final List<Integer> readyConnections = new ArrayList<>();
    final List<UnsafeBuffer> ringMemory = new ArrayList<>();
    private final WorkRequestSlot request = new WorkRequestSlot();
    private final CompletionSlot completion = new CompletionSlot();
    private long correlation;

    LaneHost(LaneSettings settings, JoinedPort[] ports, int keyTag) {
        this.ports = ports;
        this.lane = new Lane(settings, List.<PacketPort>of(ports), counters);
        this.key = MemoryKey.of(1, keyTag);
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
        Registration all = new Registration(key, memory.addressOffset(), MEMORY_BYTES, access, DOMAIN);
        assertThat(lane.control().installMemory(nextCorrelation(), all)).isTrue();
    }

    long nextCorrelation() {
        return ++correlation;
    }

    long get(LaneCounter counter) {
        return counters.get(counter.ordinal());
    }

    /** Our end of a connection to the peer. */
    ConnectionSpec spec(int localId, int remoteId, LaneHost peer, int paths) {
        List<ConnectionSpec.Plane> planes = new ArrayList<>();
        for (JoinedPort port : peer.ports) {
            planes.add(new ConnectionSpec.Plane(0, port.addressLow(), 0, JoinedPort.UDP_PORT));
        }
        return new ConnectionSpec(
                localId,
                remoteId,
                planes,
                paths,
                4_096,
                256,
                4_096,
                16,
                4 << 20,
                new ConnectionSpec.Timing(2_000_000, 5_000_000_000L, 5_000_000_000L, 16, 1 << 20),
                CongestionChoice.FIXED_WINDOW,
                localId,
                ConnectionSpec.Sabotage.NONE);
    }

    StreamSpec stream(int streamId) {
        SlotRing completions = ring(4 * RING_SLOTS);
        return new StreamSpec(
                streamId, 100 + streamId, DOMAIN, ring(RING_SLOTS), ring(RING_SLOTS), completions, completions);
    }

    private SlotRing ring(int slots) {
        int lengthBytes = SlotRing.bytesFor(slots);
        UnsafeBuffer block = new UnsafeBuffer(BufferUtil.allocateDirectAligned(lengthBytes, 64));
        ringMemory.add(block);
        SlotRing.format(block.addressOffset(), slots);
        return new SlotRing(block.addressOffset(), lengthBytes);
    }

    ConnectionCounters add(ConnectionSpec spec) {
        ConnectionCounters connectionCounters = ConnectionCounters.inProcess(spec.paths());
        assertThat(lane.control().addConnection(nextCorrelation(), spec, connectionCounters))
                .isTrue();
        return connectionCounters;
    }

    /** Posts a write of {@code length} bytes from the same offset here to there; false if the ring is full. */
    boolean postWrite(StreamSpec stream, long id, int offset, int length, LaneHost peer) {
        if (!stream.sendRing().canProduce()) {
            return false;
        }
        stream.sendRing().claim(request);
        request.id(id);
        request.opcode(WorkRequestOpcode.RDMA_WRITE);
        request.flags(SendFlags.SIGNALED);
        request.local(key, memory.addressOffset() + offset, length);
        request.remote(peer.key, peer.memory.addressOffset() + offset);
        stream.sendRing().publish();
        return true;
    }

    /** Takes a completion; null if there is none. */
    boolean takeCompletion(StreamSpec stream, CompletionStatus expected, long expectedId) {
        if (stream.sendCompletions().available() == 0) {
            return false;
        }
        stream.sendCompletions().peek(completion);
        boolean isAsExpected = completion.status() == expected && completion.id() == expectedId;
        if (!isAsExpected) {
            assertThat(completion.status()).isEqualTo(expected);
            assertThat(completion.id()).isEqualTo(expectedId);
        }
        stream.sendCompletions().release();
        return true;
    }

    /** Polls events and writes each down as one line of what it says. */
    void takeEvents() {
        lane.control().pollEvents(this::writeDown, Integer.MAX_VALUE);
    }

    private void writeDown(LaneEvent event) {
        if (event.kind() == LaneEvent.Kind.READY) {
            readyConnections.add(event.connectionId());
        }
        events.add(
                switch (event.kind()) {
                    case DONE -> "done " + event.correlationId();
                    case REFUSED -> "refused " + event.correlationId() + " " + event.refusal();
                    case READY -> "ready " + event.connectionId() + " " + event.value();
                    case PATH_CHANGED ->
                        "path " + event.connectionId() + "/" + event.pathId() + " " + event.state() + " "
                                + event.reason();
                    case STREAM_FAILED ->
                        "stream failed " + event.connectionId() + "/" + event.streamId() + " " + event.reason();
                    case STREAM_CLOSED -> "stream closed " + event.connectionId() + "/" + event.streamId();
                    case CONNECTION_LOST -> "lost " + event.connectionId() + " " + event.reason();
                    case CONNECTION_FINISHED -> "finished " + event.connectionId();
                    case STALLED -> "stalled " + event.value();
                    case PLANE_LINK -> "plane " + event.value() + " " + event.state();
                    case PLANES_ANNOUNCED -> "planes " + event.connectionId() + " " + event.value();
                    case LANE_ENDED -> "ended " + event.state() + " " + event.meaning();
                });
    }
}
