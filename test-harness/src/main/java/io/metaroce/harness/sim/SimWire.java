// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The wire between two or more ends: each source port is a FIFO of its own delay, as ECMP makes it, so packets of different
 * paths overtake each other freely and packets of one path never do, except by a fault.
 */
public final class SimWire {
    /** Source ports of each endpoint's pool. */
    public static final int SOURCE_PORTS = 16;

    static final int PACKET_BYTES_MAX = 9_000;
    private static final int CE = 3;
    private static final int ECT_0 = 2;
    private static final int PATH_OFFSET = 2;
    private static final int PATH_LESS_TYPES = 3;

    private final SeededRandom random;
    private final FaultMix faults;
    private final long baseDelayNs;
    private final long[][] extraDelayNs;
    /** For each pair of ends and source port: nothing of one flow overtakes, except by a fault. */
    private final long[][][] lastArrivalNs;

    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private final ArrayDeque<Flight> free = new ArrayDeque<>();
    private long flightNumber;
    private long offered;
    private long vanished;
    private long copies;
    private long delivered;

    /** One packet under way; ordered by arrival, then by when it was sent. */
    public static final class Flight implements Comparable<Flight> {
        private final UnsafeBuffer bytes = new UnsafeBuffer(BufferUtil.allocateDirectAligned(PACKET_BYTES_MAX, 64));
        private int length;
        private int from;
        private int to;
        private int sourcePort;
        private int ecn;
        private long arrivalNs;
        private long number;

        public UnsafeBuffer bytes() {
            return bytes;
        }

        public int length() {
            return length;
        }

        /** Sending end. */
        public int from() {
            return from;
        }

        /** Receiving end. */
        public int to() {
            return to;
        }

        /** Index of the source port in the sender's pool. */
        public int sourcePort() {
            return sourcePort;
        }

        public int ecn() {
            return ecn;
        }

        @Override
        public int compareTo(Flight other) {
            int byTime = Long.compare(arrivalNs, other.arrivalNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    SimWire(SeededRandom random, FaultMix faults, long baseDelayNs, long skewNs) {
        this(2, random, faults, baseDelayNs, skewNs);
    }

    /**
     * @param ends hosts' ports, each of which reaches every other
     * @param skewNs most that one source port's way is longer than another's
     */
    SimWire(int ends, SeededRandom random, FaultMix faults, long baseDelayNs, long skewNs) {
        this.extraDelayNs = new long[ends][SOURCE_PORTS];
        this.lastArrivalNs = new long[ends][ends][SOURCE_PORTS];
        this.random = random;
        this.faults = faults;
        this.baseDelayNs = baseDelayNs;
        for (long[] delays : extraDelayNs) {
            for (int i = 0; i < delays.length; i++) {
                delays[i] = random.between(0, skewNs);
            }
        }
    }

    /** A buffer to write the next packet into; to be given to {@link #send} or {@link #giveBack}. */
    Flight claim() {
        Flight flight = free.pollFirst();
        return flight == null ? new Flight() : flight;
    }

    void giveBack(Flight flight) {
        free.addFirst(flight);
    }

    /** Sends from one end of two to the other. */
    void send(Flight flight, int length, int from, int sourcePort, long nowNs) {
        address(flight, length, from, 1 - from, sourcePort);
        send(flight, nowNs);
    }

    /** Names the ends of a packet that is then {@link #send(Flight, long) sent}. */
    static void address(Flight flight, int length, int from, int to, int sourcePort) {
        flight.length = length;
        flight.from = from;
        flight.to = to;
        flight.sourcePort = sourcePort;
    }

    /** Sends an addressed packet. */
    void send(Flight flight, long nowNs) {
        offered++;
        boolean isFaulty = nowNs < faults.untilNs();
        flight.ecn = isFaulty && random.hits(faults.mark()) ? CE : ECT_0;
        if (isFaulty && (random.hits(faults.loss()) || isKilled(flight, nowNs))) {
            vanished++;
            giveBack(flight);
            return;
        }
        if (isFaulty && random.hits(faults.duplicate())) {
            copies++;
            launch(copyOf(flight), nowNs + baseDelayNs * random.between(1, 20));
        }
        if (isFaulty && random.hits(faults.corrupt())) {
            int bit = random.below(flight.length * Byte.SIZE);
            int at = bit / Byte.SIZE;
            flight.bytes.putByte(at, (byte) (flight.bytes.getByte(at) ^ 1 << bit % Byte.SIZE));
        }
        long[] lastNs = lastArrivalNs[flight.from][flight.to];
        long arrivalNs = nowNs + baseDelayNs + extraDelayNs[flight.from][flight.sourcePort];
        if (isFaulty && random.hits(faults.reorder())) {
            arrivalNs += baseDelayNs * random.between(1, 5);
        } else {
            arrivalNs = Math.max(arrivalNs, lastNs[flight.sourcePort]);
            lastNs[flight.sourcePort] = arrivalNs;
        }
        launch(flight, arrivalNs);
    }

    int ends() {
        return extraDelayNs.length;
    }

    /** Whether faults happen now. */
    boolean isFaulty(long nowNs) {
        return nowNs < faults.untilNs();
    }

    /** When the next packet arrives; {@link Long#MAX_VALUE} if none is under way. */
    long nextArrivalNs() {
        Flight next = flights.peek();
        return next == null ? Long.MAX_VALUE : next.arrivalNs;
    }

    /** Takes the next packet, which arrives now. */
    Flight land() {
        delivered++;
        return flights.remove();
    }

    /** Sent, and copies made, are delivered, lost or under way. */
    boolean isConserved() {
        return offered + copies == delivered + vanished + flights.size();
    }

    long vanished() {
        return vanished;
    }

    private void launch(Flight flight, long arrivalNs) {
        flight.arrivalNs = arrivalNs;
        flight.number = flightNumber++;
        flights.add(flight);
    }

    private Flight copyOf(Flight original) {
        Flight copy = claim();
        copy.bytes.putBytes(0, original.bytes, 0, original.length);
        copy.length = original.length;
        copy.from = original.from;
        copy.to = original.to;
        copy.sourcePort = original.sourcePort;
        copy.ecn = original.ecn;
        return copy;
    }

    private boolean isKilled(Flight flight, long nowNs) {
        boolean isTime = nowNs > faults.untilNs() / 3 && nowNs < faults.untilNs() / 3 * 2;
        int type = flight.bytes.getByte(0) & 0xf;
        return isTime && type < PATH_LESS_TYPES && (flight.bytes.getByte(PATH_OFFSET) & 0xff) == faults.killedPath();
    }
}
