// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.port.Ecn;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.transport.connection.TransmitFrame;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What is on its way out through one plane.
 *
 * <pre>
 *   free     buffers of the port, to be written into        [used][used][next][    ][    ]
 *   filled   packets that wait for the port to take them    [p   ][p   ][p   ]
 *   spare    one packet in memory of our own: the connection chooses the plane only while it writes, so a packet may
 *            come although the port has no buffer; it is copied to the first buffer that comes free, before any other
 * </pre>
 *
 * A packet that a connection gave leaves only into the port, or into a counter when the plane's link is down.
 */
final class PlaneOutlet {
    private final int plane;
    private final Planes planes;
    private final PacketPort port;
    private final CounterBlock counters;
    private final int[] sourcePorts;
    private final int frameBytesMax;
    private final PacketBurst free;
    private final PacketBurst filled;
    /** Holds the spare packet's route while it waits; one descriptor. */
    private final PacketBurst spare = new PacketBurst(1);

    private final UnsafeBuffer spareMemory;
    private int freeNext;
    /** Whether the frame was offered a buffer of the port, and not the spare place. */
    private boolean isPortBufferOffered;

    PlaneOutlet(int plane, Planes planes, int burstPackets, CounterBlock counters) {
        this.plane = plane;
        this.planes = planes;
        this.port = planes.port(plane);
        this.counters = counters;
        this.frameBytesMax = port.capabilities().frameBytesMax();
        this.sourcePorts = new int[port.capabilities().sourcePortCount()];
        for (int i = 0; i < sourcePorts.length; i++) {
            sourcePorts[i] = port.sourcePort(i);
        }
        this.free = new PacketBurst(burstPackets);
        this.filled = new PacketBurst(burstPackets);
        this.spareMemory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(frameBytesMax, BitUtil.CACHE_LINE_LENGTH));
    }

    /** Begins a cycle: offers again what is left over, and a buffer to the frame; whether a packet can be taken. */
    boolean prepare(TransmitFrame frame) {
        if (!planes.isUp(plane)) {
            dropAll();
        }
        if (!filled.isEmpty()) {
            flush();
        }
        offer(frame);
        return hasRoom();
    }

    /** Whether one more packet can be taken; it is not, while the spare place is in use. */
    boolean hasRoom() {
        return spare.isEmpty();
    }

    /** Takes the packet that a connection wrote into the frame, and offers the frame the next buffer. */
    void accept(TransmitFrame frame, int lengthBytes) {
        assert lengthBytes <= frameBytesMax;
        if (!planes.isUp(plane)) {
            counters.increment(LaneCounter.TX_DROPPED_LINK_DOWN.ordinal());
            return;
        }
        if (isPortBufferOffered) {
            int index = filled.size();
            filled.size(index + 1);
            filled.handle(index, free.handle(freeNext));
            filled.data(index, free.data(freeNext));
            freeNext++;
            describe(filled, index, frame, lengthBytes);
            if (index + 1 == filled.capacity()) {
                flush();
            }
        } else {
            spare.size(1);
            describe(spare, 0, frame, lengthBytes);
        }
        offer(frame);
    }

    private void describe(PacketBurst burst, int index, TransmitFrame frame, int lengthBytes) {
        burst.length(index, lengthBytes);
        burst.flags(index, Ecn.ECT_0);
        burst.address(index, frame.addressHigh(), frame.addressLow());
        burst.remotePort(index, frame.udpPort());
        burst.localPort(index, sourcePorts[frame.sourcePortIndex()]);
        burst.scope(index, frame.scope());
    }

    /** Offers the frame the next place to write this plane's packet into; a spare packet goes out before it. */
    private void offer(TransmitFrame frame) {
        if (hasBuffer()) {
            placeSpare();
        }
        isPortBufferOffered = hasBuffer();
        if (isPortBufferOffered) {
            frame.offer(plane, free.data(freeNext), frameBytesMax);
        } else {
            frame.offer(plane, spareMemory.addressOffset(), frameBytesMax);
        }
    }

    /** Moves the spare packet, if there is one, into a buffer of the port. */
    private void placeSpare() {
        if (spare.isEmpty()) {
            return;
        }
        int index = filled.size();
        filled.size(index + 1);
        filled.copyDescriptor(index, spare, 0);
        filled.handle(index, free.handle(freeNext));
        filled.data(index, free.data(freeNext));
        UnsafeApi.copyMemory(spareMemory.addressOffset(), filled.data(index), filled.length(index));
        freeNext++;
        spare.size(0);
    }

    /** Whether a packet can go straight into a buffer of the port; asks the port for buffers if need be. */
    private boolean hasBuffer() {
        if (filled.size() == filled.capacity()) {
            return false;
        }
        if (freeNext < free.size()) {
            return true;
        }
        free.size(0);
        freeNext = 0;
        if (port.allocate(free, free.capacity()) > 0) {
            return true;
        }
        counters.increment(LaneCounter.TX_NO_BUFFER.ordinal());
        return false;
    }

    /** Offers the filled buffers to the port; what it has no room for stays. */
    void flush() {
        int offered = filled.size();
        if (offered == 0) {
            return;
        }
        int taken = port.transmit(filled);
        if (taken > 0) {
            long bytes = 0;
            for (int i = 0; i < taken; i++) {
                bytes += filled.length(i);
            }
            counters.add(LaneCounter.TX_PACKETS.ordinal(), taken);
            counters.add(LaneCounter.TX_BYTES.ordinal(), bytes);
            counters.increment(LaneCounter.TX_BURSTS.ordinal());
            filled.discardFirst(taken);
        }
        counters.add(LaneCounter.TX_DEFERRED.ordinal(), offered - taken);
    }

    /** The plane cannot carry anything: what waits would only hold the other planes up. */
    private void dropAll() {
        int dropped = filled.size() + spare.size();
        if (dropped > 0) {
            counters.add(LaneCounter.TX_DROPPED_LINK_DOWN.ordinal(), dropped);
            port.release(filled);
            spare.size(0);
        }
    }

    /** Gives all buffers back to the port. */
    void close() {
        counters.add(LaneCounter.TX_DROPPED_LANE_ENDED.ordinal(), filled.size() + spare.size());
        // Buffers before freeNext have moved to the filled burst.
        free.discardFirst(freeNext);
        freeNext = 0;
        port.release(free);
        port.release(filled);
        spare.size(0);
    }
}
