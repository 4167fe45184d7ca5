// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.port.PacketBurst;
import io.metaroce.transport.connection.Arrival;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The receiving half of a lane: bursts from every port, each packet parsed and given to its connection. */
final class Receiver {
    private static final int LEVEL_MAX = 255;

    private final Planes planes;
    private final ConnectionTable connections;
    private final CounterBlock counters;
    private final int burstsMax;
    private final PacketBurst burst;
    private final PacketParser parser = new PacketParser();
    private final PacketView view = new PacketView();
    private final Arrival arrival = new Arrival();
    private final UnsafeBuffer packet = new UnsafeBuffer(0, 0);
    /** Occupancy of each plane's receive queue, 0 to 255, as the last turn found it. */
    private final int[] levels;

    private final ConnectionEntry[] received;
    private int receivedCount;

    Receiver(LaneSettings settings, Planes planes, ConnectionTable connections, CounterBlock counters) {
        this.planes = planes;
        this.connections = connections;
        this.counters = counters;
        this.burstsMax = settings.receiveBurstsMax();
        this.burst = new PacketBurst(settings.burstPackets());
        this.levels = new int[planes.count()];
        this.received = new ConnectionEntry[settings.connectionsMax()];
    }

    /** Takes one turn's packets from every port; returns how many. */
    int receive(long nowNs) {
        return receive(burstsMax, nowNs);
    }

    /**
     * Takes packets until the ports are empty or every port gave {@code burstsPerPort} bursts.
     *
     * @return packets taken
     */
    int receive(int burstsPerPort, long nowNs) {
        int packets = 0;
        for (int plane = 0; plane < levels.length; plane++) {
            packets += receiveFrom(plane, burstsPerPort, nowNs);
        }
        return packets;
    }

    private int receiveFrom(int plane, int bursts, long nowNs) {
        int packets = 0;
        int capacity = burst.capacity();
        for (int i = 0; i < bursts; i++) {
            int count = planes.port(plane).receive(burst);
            if (count > 0) {
                counters.increment(LaneCounter.RX_BURSTS.ordinal());
                onBurst(plane, nowNs);
                planes.port(plane).release(burst);
                packets += count;
            }
            if (count < capacity) {
                break;
            }
        }
        levels[plane] = Math.min(packets * LEVEL_MAX / (burstsMax * capacity), LEVEL_MAX);
        return packets;
    }

    private void onBurst(int plane, long nowNs) {
        int count = burst.size();
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += burst.length(i);
            onDescriptor(plane, i, nowNs);
        }
        counters.add(LaneCounter.RX_PACKETS.ordinal(), count);
        counters.add(LaneCounter.RX_BYTES.ordinal(), bytes);
    }

    private void onDescriptor(int plane, int index, long nowNs) {
        burst.frame(index, packet);
        ParseResult verdict = parser.parse(packet, 0, burst.length(index), view);
        // MOP-SEC-6, MOP-SEC-10: one counter, and nothing else
        if (verdict != ParseResult.OK) {
            counters.increment(DropCounters.of(verdict).ordinal());
            return;
        }
        int id = view.connectionId();
        @Nullable ConnectionEntry entry = connections.find(id);
        if (entry == null) {
            // MOP-RCV-28
            boolean isLate = connections.isQuarantined(id);
            LaneCounter counter =
                    isLate ? LaneCounter.RX_DROPPED_CLOSED_CONNECTION : LaneCounter.RX_DROPPED_UNKNOWN_CONNECTION;
            counters.increment(counter.ordinal());
            return;
        }
        arrival.set(plane, burst.addressHigh(index), burst.addressLow(index), burst.ecn(index), levels[plane]);
        entry.connection().onPacket(view, arrival, nowNs);
        if (!entry.hasReceived) {
            entry.hasReceived = true;
            received[receivedCount++] = entry;
        }
    }

    /** Ends the turn for every connection that got a packet in it. */
    void endTurn() {
        for (int i = 0; i < receivedCount; i++) {
            ConnectionEntry entry = received[i];
            entry.hasReceived = false;
            entry.connection().onReceiveTurnEnd();
            connections.touch(entry);
        }
        receivedCount = 0;
    }
}
