// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryKey;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.port.IpAddress;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.congestion.AimdCongestion;
import io.metaroce.transport.congestion.CongestionSettings;
import io.metaroce.transport.congestion.InboundShares;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Senders, each behind a link of its own, that write to one receiver through one first-in-first-out queue, in virtual time.
 * The queue drops at its end and marks between two thresholds. ACKs have a way of their own, without a queue.
 *
 * <pre>
 *   sender 0 --- own link ---+
 *   sender 1 --- own link ---+--- queue, marks, drops --- receiver
 *   ...                      |
 * </pre>
 */
final class Bottleneck {
    /** Ethernet, IPv4, UDP, preamble and gap of a packet. */
    private static final int OVERHEAD_BYTES = 66;

    private static final int FRAME_BYTES = 9_000;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int DEPTH = 4;
    private static final int CE = 3;

    final Setup setup;
    final List<Pair> pairs = new ArrayList<>();
    final InboundShares shares;
    final UnsafeBuffer source = memory(MESSAGE_BYTES);
    final UnsafeBuffer target = memory(MESSAGE_BYTES);
    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private final ArrayDeque<UnsafeBuffer> pool = new ArrayDeque<>();
    private final List<UnsafeBuffer> kept = new ArrayList<>();
    private final PacketParser parser = new PacketParser();
    private final PacketView view = new PacketView();
    private final long packetNs;
    long nowNs = 1_000_000;
    long queueFreeNs;
    long carriedBytes;
    long dropped;
    long marked;
    long entered;
    long queueMostNs;
    private long number;
    private long random;

    /** What a run is made of; times in ns, rates in Mbit/s, buffers in packets. */
    static final class Setup {
        int senders = 8;
        int rateMbps = 400_000;
        long roundTripNs = 10_000;
        int payload = 4096;
        int paths = 8;
        int bufferPackets = 100;
        int markFrom = 25;
        int markAll = 75;
        int degree;
        boolean hints = true;
        /** Of this sender's own link; 0 for none that is slower. */
        int slowMbps;

        int lossEvery;
        long seed = 1;
        long stepNs = 200;
    }

    Bottleneck(Setup setup) {
        this.setup = setup;
        this.random = setup.seed;
        this.packetNs = wireNs(setup.payload + 100, setup.rateMbps);
        this.shares = setup.hints
                ? new InboundShares(List.of(setup.rateMbps), CongestionSettings.SIMULATED_HINT_PERIOD_NS, 0)
                : InboundShares.NONE;
        for (int i = 0; i < setup.senders; i++) {
            pairs.add(new Pair(i));
        }
        open();
    }

    private void open() {
        // One after another, lest their full-size probes fill the queue.
        for (Pair pair : pairs) {
            pair.sender.connection.open(nowNs);
            pair.receiver.connection.open(nowNs);
            run(2L * setup.paths * packetNs);
        }
        run(10L * setup.roundTripNs);
        queueMostNs = 0;
        carriedBytes = 0;
    }

    void start() {
        for (Pair pair : pairs) {
            pair.isSending = true;
        }
    }

    void run(long durationNs) {
        long endNs = nowNs + durationNs;
        while (nowNs < endNs) {
            nowNs += setup.stepNs;
            deliver();
            for (Pair pair : pairs) {
                pair.turn();
            }
        }
    }

    /** Bytes that wait in the queue now, as time at the link's rate. */
    long queueNs() {
        return Math.max(0, queueFreeNs - nowNs);
    }

    private void deliver() {
        while (!flights.isEmpty() && flights.peek().atNs <= nowNs) {
            Flight flight = flights.poll();
            if (flight.entersQueue) {
                enterQueue(flight);
                continue;
            }
            parser.parse(flight.bytes, 0, flight.length, view);
            flight.to.arrival.set(0, 0, flight.to.peerAddress, flight.isMarked ? CE : 2, 0);
            flight.to.connection.onPacket(view, flight.to.arrival, nowNs);
            flight.to.hasReceived = true;
            pool.add(flight.bytes);
        }
    }

    private void enterQueue(Flight flight) {
        long waitNs = Math.max(0, queueFreeNs - flight.atNs);
        int waiting = (int) (waitNs / packetNs);
        entered++;
        boolean isLost = setup.lossEvery > 0 && next() % setup.lossEvery == 0;
        if (waiting >= setup.bufferPackets || isLost) {
            dropped++;
            pool.add(flight.bytes);
            return;
        }
        int span = Math.max(1, setup.markAll - setup.markFrom);
        flight.isMarked = waiting >= setup.markFrom && next() % span < waiting - setup.markFrom;
        marked += flight.isMarked ? 1 : 0;
        queueMostNs = Math.max(queueMostNs, waitNs);
        queueFreeNs = Math.max(queueFreeNs, flight.atNs) + wireNs(flight.length, setup.rateMbps);
        carriedBytes += flight.length + OVERHEAD_BYTES;
        flight.entersQueue = false;
        flight.atNs = queueFreeNs + setup.roundTripNs / 4;
        flights.add(flight);
    }

    private long next() {
        random = random * 6364136223846793005L + 1442695040888963407L;
        return random >>> 33;
    }

    static long wireNs(int bytes, long rateMbps) {
        return (bytes + OVERHEAD_BYTES) * 8_000L / rateMbps;
    }

    private UnsafeBuffer claim() {
        UnsafeBuffer free = pool.poll();
        if (free == null) {
            free = memory(FRAME_BYTES);
            kept.add(free);
        }
        return free;
    }

    /** A sender, its receiver at the other end, and its own link. */
    final class Pair {
        final Side sender;
        final Side receiver;
        final long linkMbps;
        boolean isSending;
        long linkFreeNs;
        long lastNs;
        private int posted;
        private final CompletionSlot completion = new CompletionSlot();
        private final WorkRequestSlot request = new WorkRequestSlot();

        Pair(int index) {
            long low = IpAddress.mapped(0x0a000001 + index);
            sender = new Side(1_000 + index, 2_000 + index, low, InboundShares.NONE);
            receiver = new Side(2_000 + index, 1_000 + index, low, shares);
            linkMbps = index == 0 && setup.slowMbps > 0 ? setup.slowMbps : setup.rateMbps;
        }

        long deliveredBytes() {
            return receiver.counters.get(ConnectionCounter.RX_PAYLOAD_BYTES);
        }

        long retransmitted() {
            return sender.counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                    + sender.counters.get(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                    + sender.counters.get(ConnectionCounter.TX_RETRANSMITTED_MOVED);
        }

        long allowedMbps() {
            return sender.connection.rateMbps(nowNs);
        }

        void turn() {
            post();
            sender.work();
            boolean isTurn = receiver.hasReceived || receiver.connection.nextDeadlineNs() <= nowNs;
            receiver.hasReceived |= isTurn;
            while (linkFreeNs - nowNs < setup.stepNs && transmit(sender, true)) {}
            if (isTurn || nowNs % 1_000 < setup.stepNs) {
                receiver.work();
                while (transmit(receiver, false)) {}
            }
        }

        private void post() {
            while (isSending && posted < DEPTH && sender.sendRing.canProduce()) {
                sender.sendRing.claim(request);
                request.opcode(WorkRequestOpcode.RDMA_WRITE);
                request.flags(SendFlags.SIGNALED);
                request.local(sender.key, source.addressOffset(), MESSAGE_BYTES);
                request.remote(receiver.key, target.addressOffset());
                sender.sendRing.publish();
                posted++;
            }
            while (sender.completions.available() > 0) {
                sender.completions.peek(completion);
                sender.completions.release();
                posted--;
            }
        }

        private boolean transmit(Side side, boolean isData) {
            UnsafeBuffer bytes = claim();
            side.frame.wrap(bytes.addressOffset(), FRAME_BYTES);
            int length = side.connection.pollTransmit(side.frame, nowNs);
            if (length == 0) {
                pool.add(bytes);
                return false;
            }
            Flight flight = new Flight(bytes, length, number++, side == sender ? receiver : sender);
            flight.entersQueue = isData;
            flight.atNs = nowNs + setup.roundTripNs / 2;
            if (isData) {
                linkFreeNs = Math.max(linkFreeNs, nowNs) + wireNs(length, linkMbps);
                // Nothing in a real fabric is in step: without this, the same sender's packets would be dropped for
                // ever.
                lastNs = Math.max(lastNs + 1, linkFreeNs + setup.roundTripNs / 4 + next() % (2 * packetNs));
                flight.atNs = lastNs;
            }
            flights.add(flight);
            return true;
        }
    }

    static final class Flight implements Comparable<Flight> {
        final UnsafeBuffer bytes;
        final int length;
        final long number;
        final Side to;
        long atNs;
        boolean entersQueue;
        boolean isMarked;

        Flight(UnsafeBuffer bytes, int length, long number, Side to) {
            this.bytes = bytes;
            this.length = length;
            this.number = number;
            this.to = to;
        }

        @Override
        public int compareTo(Flight other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    final class Side {
        final MemoryRegionTable table = new MemoryRegionTable();
        final ConnectionCounters counters = ConnectionCounters.inProcess(setup.paths);
        final TransmitFrame frame = new TransmitFrame();
        final Arrival arrival = new Arrival();
        final SlotRing sendRing = ring();
        final SlotRing completions = ring();
        final int key;
        final long peerAddress;
        final Connection connection;
        boolean hasReceived;

        Side(int localId, int remoteId, long peerAddress, InboundShares inbound) {
            this.peerAddress = peerAddress;
            key = MemoryKey.of(1, 77);
            UnsafeBuffer memory = inbound == InboundShares.NONE && localId < 2_000 ? source : target;
            table.install(key, memory.addressOffset(), MESSAGE_BYTES, AccessFlags.ALL, 1);
            ConnectionSettings settings = new ConnectionSettings(
                    localId,
                    remoteId,
                    List.of(new ConnectionSettings.Plane(0, peerAddress, 0, 4795, 64, 1)),
                    setup.paths,
                    setup.payload,
                    64,
                    16_384,
                    16,
                    1 << 30,
                    ConnectionSettings.Limits.SIMULATED,
                    localId * 0x9e3779b97f4a7c15L,
                    BrokenRule.NONE);
            CongestionSettings congestion = CongestionSettings.simulated(List.of(setup.rateMbps), setup.degree);
            connection = new Connection(
                    settings, table, new AimdCongestion(congestion, inbound), ConnectionListener.NONE, counters);
            connection.openStream(new StreamSettings(5, 100, 1, sendRing, ring(), completions, completions));
        }

        void work() {
            if (hasReceived) {
                connection.onReceiveTurnEnd();
                hasReceived = false;
            }
            if (connection.nextDeadlineNs() <= nowNs) {
                connection.onTimer(nowNs);
            }
            connection.onWorkRequests(16, nowNs);
        }
    }

    private SlotRing ring() {
        UnsafeBuffer memory = memory(SlotRing.bytesFor(16));
        kept.add(memory);
        SlotRing.format(memory.addressOffset(), 16);
        return new SlotRing(memory.addressOffset(), SlotRing.bytesFor(16));
    }

    private static UnsafeBuffer memory(int bytes) {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, 64));
    }
}
