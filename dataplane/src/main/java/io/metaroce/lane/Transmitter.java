// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.transport.connection.Connection;
import io.metaroce.transport.connection.TransmitFrame;

/**
 * The transmitting half of a lane: connections that want to transmit take turns, and each packet goes to the outlet of the
 * plane that the connection chose for it.
 */
final class Transmitter {
    /** Packets of one connection before the next has its turn: two runs of a port that carries runs of 15 best. */
    private static final int PACKETS_OF_A_TURN = 30;

    private final PlaneOutlet[] outlets;
    private final CounterBlock counters;
    private final int packetsMax;
    private final TransmitQueue queue;
    private final TransmitFrame frame = new TransmitFrame();

    Transmitter(LaneSettings settings, Planes planes, CounterBlock counters) {
        this.counters = counters;
        this.packetsMax = settings.transmitPacketsMax();
        this.queue = new TransmitQueue(settings.connectionsMax());
        this.outlets = new PlaneOutlet[planes.count()];
        for (int plane = 0; plane < outlets.length; plane++) {
            outlets[plane] = new PlaneOutlet(plane, planes, settings.burstPackets(), counters);
        }
    }

    /** Gives a connection to which something happened a turn: only asking it tells whether it has something to say. */
    void enqueue(ConnectionEntry entry) {
        if (!entry.isQueued) {
            queue.add(entry);
        }
    }

    void retire(ConnectionEntry entry) {
        if (entry.isQueued) {
            queue.remove(entry);
        }
    }

    /** Transmits one cycle's packets; returns how many the connections gave. What a port has no room for stays here. */
    int transmit(ConnectionTable connections, long nowNs) {
        boolean hasRoom = true;
        for (PlaneOutlet outlet : outlets) {
            hasRoom &= outlet.prepare(frame);
        }
        int packets = 0;
        while (hasRoom && !queue.isEmpty() && packets < packetsMax) {
            ConnectionEntry entry = queue.removeFirst();
            int limit = Math.min(PACKETS_OF_A_TURN, packetsMax - packets);
            int given = poll(entry.connection(), limit, nowNs);
            connections.touch(entry);
            packets += given;
            hasRoom = hasRoom();
            if (given == limit || !hasRoom) {
                queue.add(entry);
            }
        }
        flush();
        return packets;
    }

    /** Offers the ports what waits for them. */
    void flush() {
        for (PlaneOutlet outlet : outlets) {
            outlet.flush();
        }
    }

    private int poll(Connection connection, int limit, long nowNs) {
        int packets = 0;
        while (packets < limit && hasRoom()) {
            int lengthBytes = connection.pollTransmit(frame, nowNs);
            if (lengthBytes == 0) {
                break;
            }
            packets++;
            if (frame.plane() < outlets.length) {
                outlets[frame.plane()].accept(frame, lengthBytes);
            } else {
                counters.increment(LaneCounter.TX_DROPPED_NO_PLANE.ordinal());
            }
        }
        return packets;
    }

    private boolean hasRoom() {
        for (PlaneOutlet outlet : outlets) {
            if (!outlet.hasRoom()) {
                return false;
            }
        }
        return true;
    }

    /** Gives every buffer back; nothing can be transmitted afterwards. */
    void close() {
        for (PlaneOutlet outlet : outlets) {
            outlet.close();
        }
    }
}
