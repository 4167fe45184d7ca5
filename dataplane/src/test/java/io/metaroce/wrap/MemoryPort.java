// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import io.metaroce.port.Framing;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A port in memory that receives what it sends, in order, and knows of every buffer who has it. A handle is a slot; a slot
 * is FREE, at the LANE, or in FLIGHT, and any other step is an error.
 */
final class MemoryPort implements PacketPort {
    static final int FRAME_BYTES = 128;

    private enum Owner {
        FREE,
        LANE,
        FLIGHT
    }

    private final UnsafeBuffer bytes;
    private final Owner[] owners;
    private final int[] lengths;
    private final int[] localPorts;
    private final int[] remotePorts;
    private final int[] flight;
    private final PortCounters counters = new PortCounters();
    private int flightHead;
    private int flightCount;
    private int searchStart;

    /** Packets the next transmits accept in all; the rest is refused. */
    int room = Integer.MAX_VALUE;

    MemoryPort(int slots) {
        this.bytes = new UnsafeBuffer(BufferUtil.allocateDirectAligned(slots * FRAME_BYTES, 64));
        this.owners = new Owner[slots];
        this.lengths = new int[slots];
        this.localPorts = new int[slots];
        this.remotePorts = new int[slots];
        this.flight = new int[slots];
        java.util.Arrays.fill(owners, Owner.FREE);
    }

    int free() {
        int count = 0;
        for (Owner owner : owners) {
            count += owner == Owner.FREE ? 1 : 0;
        }
        return count;
    }

    int inFlight() {
        return flightCount;
    }

    @Override
    public PortCapabilities capabilities() {
        return new PortCapabilities(Framing.DATAGRAM, FRAME_BYTES, 1 << 20, 1, 1, true, "memory");
    }

    @Override
    public int udpPort() {
        return 4795;
    }

    @Override
    public int sourcePort(int index) {
        return 50_000 + index;
    }

    @Override
    public int receive(PacketBurst burst) {
        check(burst.isEmpty(), "receive into a burst that is not empty");
        int count = Math.min(burst.capacity(), flightCount);
        for (int i = 0; i < count; i++) {
            int slot = flight[flightHead];
            flightHead = (flightHead + 1) % flight.length;
            flightCount--;
            move(slot, Owner.FLIGHT, Owner.LANE);
            describe(burst, i, slot);
            burst.length(i, lengths[slot]);
            burst.remotePort(i, localPorts[slot]);
            burst.localPort(i, remotePorts[slot]);
        }
        burst.size(count);
        return count;
    }

    @Override
    public int allocate(PacketBurst burst, int count) {
        check(burst.isEmpty(), "allocate into a burst that is not empty");
        int granted = 0;
        for (int n = 0; n < owners.length && granted < count; n++) {
            int slot = (searchStart + n) % owners.length;
            if (owners[slot] == Owner.FREE) {
                move(slot, Owner.FREE, Owner.LANE);
                describe(burst, granted++, slot);
            }
        }
        searchStart = (searchStart + granted) % owners.length;
        burst.size(granted);
        return granted;
    }

    private void describe(PacketBurst burst, int i, int slot) {
        burst.handle(i, slot);
        burst.data(i, bytes.addressOffset() + (long) slot * FRAME_BYTES);
    }

    @Override
    public int transmit(PacketBurst burst) {
        int accepted = Math.min(room, burst.size());
        room -= accepted;
        for (int i = 0; i < accepted; i++) {
            int slot = (int) burst.handle(i);
            check(burst.data(i) == bytes.addressOffset() + (long) slot * FRAME_BYTES, "handle and bytes disagree");
            move(slot, Owner.LANE, Owner.FLIGHT);
            lengths[slot] = burst.length(i);
            localPorts[slot] = burst.localPort(i);
            remotePorts[slot] = burst.remotePort(i);
            flight[(flightHead + flightCount) % flight.length] = slot;
            flightCount++;
        }
        counters.add(PortCounter.TX_PACKETS, accepted);
        return accepted;
    }

    @Override
    public void release(PacketBurst burst) {
        for (int i = 0; i < burst.size(); i++) {
            check(burst.handle(i) >= 0 && burst.handle(i) < owners.length, "a buffer that is not of this port");
            move((int) burst.handle(i), Owner.LANE, Owner.FREE);
        }
        burst.size(0);
    }

    private void move(int slot, Owner from, Owner to) {
        check(owners[slot] == from, "buffer is not where it should be");
        owners[slot] = to;
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }

    @Override
    public boolean linkIsUp() {
        return true;
    }

    @Override
    public long counter(PortCounter counter) {
        return counters.get(counter);
    }

    @Override
    public void close() {}
}
