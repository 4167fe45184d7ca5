// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryKey;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.port.IpAddress;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Two connections joined by a wire that decides the fate of every packet; one writes, the other is compared. */
final class JoinedConnections {
    private static final long DELAY_NS = 5_000;
    private static final int MEMORY_BYTES = 4 << 20;
    private static final int PATHS_MAX = 8;
    private static final int FRAME_BYTES = 10_000;
    private static final int STEPS_MAX = 2_000_000;

    final Side left;
    final Side right;
    final PriorityQueue<Flight> wire = new PriorityQueue<>();
    final PacketParser parser = new PacketParser();
    final PacketView view = new PacketView();
    final Fate fate;
    long nowNs = 1_000_000;
    long sent;
    /** Every packet that did not get lost, in the order of sending. */
    final List<Flight> flights = new ArrayList<>();

    /** What the wire does with a packet. */
    interface Fate {
        long LOST = -1;

        /**
         * @param number of the packet on the wire, counted from 1, both directions together
         * @param packet parsed; only to be read
         * @return how long it travels, or {@link #LOST}
         */
        long delayNs(long number, PacketView packet);
    }

    JoinedConnections(int lossEvery, int paths, int payloadBytes, CongestionControlFactory congestion) {
        this(
                (number, packet) -> lossEvery == 0 || number % lossEvery != 0 ? DELAY_NS : Fate.LOST,
                paths,
                payloadBytes,
                congestion);
    }

    JoinedConnections(Fate fate, int paths, int payloadBytes, CongestionControlFactory congestion) {
        this.fate = fate;
        left = new Side(11, 22, paths, payloadBytes, congestion);
        right = new Side(22, 11, paths, payloadBytes, congestion);
        left.connection.open(nowNs);
        right.connection.open(nowNs);
    }

    /** Writes messages of these lengths, all to the same place, one after another, and compares at the end of each. */
    void write(long... lengths) {
        int messages = lengths.length;
        for (int i = 0; i < MEMORY_BYTES; i++) {
            left.memory.putByte(i, (byte) (i * 31 + (i >>> 8)));
        }
        WorkRequestSlot slot = new WorkRequestSlot();
        int posted = 0;
        int completed = 0;
        CompletionSlot completion = new CompletionSlot();
        for (int step = 0; step < STEPS_MAX && completed < messages; step++) {
            while (posted < messages && left.sendRing.canProduce()) {
                left.sendRing.claim(slot);
                slot.id(posted);
                slot.opcode(WorkRequestOpcode.RDMA_WRITE);
                slot.flags(SendFlags.SIGNALED);
                slot.local(left.key, left.memory.addressOffset(), lengths[posted++]);
                slot.remote(right.key, right.memory.addressOffset());
                left.sendRing.publish();
            }
            turn(left);
            turn(right);
            while (left.completions.available() > 0) {
                left.completions.peek(completion);
                assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
                assertThat(completion.id()).isEqualTo(completed++);
                left.completions.release();
            }
            if (completed < messages) {
                advance();
            }
        }
        assertThat(completed).isEqualTo(messages);
        long longest = java.util.Arrays.stream(lengths).max().orElse(0);
        for (int i = 0; i < longest; i++) {
            if (right.memory.getByte(i) != left.memory.getByte(i)) {
                assertThat(right.memory.getByte(i)).as("byte %d", i).isEqualTo(left.memory.getByte(i));
            }
        }
    }

    private void turn(Side side) {
        Side other = side == left ? right : left;
        side.connection.onReceiveTurnEnd();
        if (side.connection.nextDeadlineNs() <= nowNs) {
            side.connection.onTimer(nowNs);
        }
        side.connection.onWorkRequests(64, nowNs);
        UnsafeBuffer memory = newMemory(FRAME_BYTES);
        side.frame.wrap(memory.addressOffset(), FRAME_BYTES);
        int length = side.connection.pollTransmit(side.frame, nowNs);
        while (length > 0) {
            sent++;
            assertThat(parser.parse(memory, 0, length, view)).isEqualTo(ParseResult.OK);
            long delayNs = fate.delayNs(sent, view);
            if (delayNs != Fate.LOST) {
                Flight flight = new Flight(nowNs + delayNs, sent, memory, length, other);
                wire.add(flight);
                flights.add(flight);
            }
            memory = newMemory(FRAME_BYTES);
            side.frame.wrap(memory.addressOffset(), FRAME_BYTES);
            length = side.connection.pollTransmit(side.frame, nowNs);
        }
    }

    private void advance() {
        long next = Math.min(left.connection.nextDeadlineNs(), right.connection.nextDeadlineNs());
        if (!wire.isEmpty()) {
            next = Math.min(next, wire.peek().arrivalNs);
        }
        assertThat(next).as("something must happen").isNotEqualTo(Long.MAX_VALUE);
        nowNs = Math.max(nowNs + 16, next);
        while (!wire.isEmpty() && wire.peek().arrivalNs <= nowNs) {
            arrive(wire.remove());
        }
    }

    /** Lets time pass until neither the wire nor a timer has anything more to do. */
    void settle() {
        for (int step = 0; step < STEPS_MAX; step++) {
            turn(left);
            turn(right);
            boolean isQuiet = wire.isEmpty()
                    && Math.min(left.connection.nextDeadlineNs(), right.connection.nextDeadlineNs()) == Long.MAX_VALUE;
            if (isQuiet) {
                return;
            }
            advance();
        }
        throw new AssertionError("never quiet");
    }

    /** A packet that has been sent before arrives once more at that time. */
    void repeat(Flight flight, long arrivalNs) {
        wire.add(new Flight(arrivalNs, ++sent, flight.memory, flight.length, flight.to));
    }

    /** A packet arrives now, whether for the first time or again. */
    void arrive(Flight flight) {
        assertThat(parser.parse(flight.memory, 0, flight.length, view)).isEqualTo(ParseResult.OK);
        flight.to.connection.onPacket(view, flight.to.arrival, nowNs);
    }

    /** One packet under way. */
    record Flight(long arrivalNs, long number, UnsafeBuffer memory, int length, Side to) implements Comparable<Flight> {
        @Override
        public int compareTo(Flight other) {
            int byTime = Long.compare(arrivalNs, other.arrivalNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    static final class Side {
        final MemoryRegionTable table = new MemoryRegionTable();
        final UnsafeBuffer memory = newMemory(MEMORY_BYTES);
        final ConnectionCounters counters = ConnectionCounters.inProcess(PATHS_MAX);
        final TransmitFrame frame = new TransmitFrame();
        final Arrival arrival = new Arrival();
        final int key;
        final SlotRing sendRing = newRing();
        final SlotRing completions = newRing();
        final Connection connection;

        Side(int localId, int remoteId, int paths, int payloadBytes, CongestionControlFactory congestion) {
            key = MemoryKey.of(1, 77 + localId);
            table.install(key, memory.addressOffset(), MEMORY_BYTES, AccessFlags.ALL, 1);
            long low = IpAddress.mapped(0x7f000001);
            arrival.set(0, 0, low, 2, 0);
            ConnectionSettings settings = new ConnectionSettings(
                    localId,
                    remoteId,
                    List.of(new ConnectionSettings.Plane(0, low, 0, 4795, 64, 1)),
                    paths,
                    payloadBytes,
                    64,
                    16_384,
                    16,
                    8 << 20,
                    ConnectionSettings.Limits.SIMULATED,
                    localId,
                    BrokenRule.NONE);
            connection = new Connection(settings, table, congestion, ConnectionListener.NONE, counters);
            connection.openStream(new StreamSettings(5, 100, 1, sendRing, newRing(), completions, completions));
        }
    }

    private static SlotRing newRing() {
        UnsafeBuffer memory = newMemory(SlotRing.bytesFor(64));
        SlotRing.format(memory.addressOffset(), 64);
        return new SlotRing(memory.addressOffset(), SlotRing.bytesFor(64));
    }

    private static final java.util.List<UnsafeBuffer> KEPT = new java.util.ArrayList<>();

    private static UnsafeBuffer newMemory(int bytes) {
        UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, 64));
        if (bytes != FRAME_BYTES) {
            KEPT.add(memory);
        }
        return memory;
    }
}
