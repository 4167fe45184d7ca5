// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.harness.check.OracleViolation;
import io.metaroce.port.Framing;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;
import org.agrona.UnsafeApi;

/**
 * A port on the virtual wire. It keeps count of every buffer like a customs officer: a step that a buffer may not take, or a
 * write into a buffer that was given back, is a violation at once.
 *
 * <pre>
 *   FREE --allocate--> LANE --transmit--> FREE, the bytes being on the wire by then
 *   FREE --arrival---> QUEUED --receive--> LANE --release--> FREE
 * </pre>
 */
public final class SimPort implements PacketPort {
    /** Where every simulated port receives. */
    public static final int UDP_PORT = 4795;

    static final int FIRST_SOURCE_PORT = 50_000;
    /** Stands at the start of every free buffer. */
    private static final long FREE_MARK = 0x5A5A_F4EE_F4EE_5A5AL;

    private enum Owner {
        FREE,
        LANE,
        QUEUED
    }

    /**
     * What a port is like.
     *
     * @param buffers of its pool, for both directions
     * @param frameBytesMax largest packet in bytes
     * @param receiveBufferBytes that may wait to be received, counted as {@link PortCapabilities#bufferedBytes}
     * @param burstPackets consecutive packets of a path that it pretends to carry best
     * @param refusalsPerMillion transmits that take only a part of the burst
     */
    public record Shape(
            int buffers, int frameBytesMax, long receiveBufferBytes, int burstPackets, int refusalsPerMillion) {}

    private final SimWire wire;
    private final SeededRandom random;
    private final int end;
    private final Shape shape;
    private final int bufferBytes;
    private final long memory;
    private final Owner[] owners;
    private final int[] free;
    private final int[] queue;
    private final int[] lengths;
    private final int[] senders;
    private final int[] sourcePorts;
    private final int[] flags;
    private final PortCounters counters = new PortCounters();
    private int freeCount;
    private int queueHead;
    private int queueCount;
    private long queuedBytes;
    private long nowNs;
    private long downUntilNs;
    private long releasesUntilLeak;
    private boolean isClosed;

    /**
     * @param end of the wire, which also gives the address
     */
    public SimPort(SimWire wire, SeededRandom random, int end, Shape shape) {
        this.wire = wire;
        this.random = random;
        this.end = end;
        this.shape = shape;
        this.bufferBytes = (shape.frameBytesMax() + Long.BYTES - 1) & -Long.BYTES;
        this.memory = UnsafeApi.allocateMemory((long) shape.buffers() * bufferBytes);
        this.owners = new Owner[shape.buffers()];
        this.free = new int[shape.buffers()];
        this.queue = new int[shape.buffers()];
        this.lengths = new int[shape.buffers()];
        this.senders = new int[shape.buffers()];
        this.sourcePorts = new int[shape.buffers()];
        this.flags = new int[shape.buffers()];
        for (int slot = shape.buffers() - 1; slot >= 0; slot--) {
            owners[slot] = Owner.LANE;
            giveBack(slot, Owner.LANE);
        }
    }

    /** The address of an end of the wire, IPv4. */
    public static long addressOf(int end) {
        return IpAddress.mapped(0x0a00_0001 + end);
    }

    /** The present time, at which packets leave; the port has no other clock. */
    public void advance(long newNowNs) {
        nowNs = newNowNs;
    }

    /** A link that is down carries nothing in either direction, and says so. */
    public void linkDownUntil(long untilNs) {
        downUntilNs = untilNs;
    }

    /** Plants a fault: one of the buffers released after so many is kept. */
    void forgetBufferAfter(long releases) {
        releasesUntilLeak = releases;
    }

    /** Buffers that neither the lane nor the receive queue holds. */
    public int freeBuffers() {
        return freeCount;
    }

    public int buffers() {
        return shape.buffers();
    }

    public boolean isClosed() {
        return isClosed;
    }

    /** A packet arrives from the wire; it waits, or is dropped and counted. */
    public void onFlight(SimWire.Flight flight) {
        if (!linkIsUp() || isClosed) {
            return;
        }
        long waitingBytes = queuedBytes + PortCapabilities.bufferedBytes(flight.length());
        if (waitingBytes > shape.receiveBufferBytes()) {
            counters.add(PortCounter.RX_MISSED, 1);
            return;
        }
        if (freeCount == 0) {
            counters.add(PortCounter.RX_NO_BUFFER, 1);
            return;
        }
        int slot = takeFree(Owner.QUEUED);
        UnsafeApi.copyMemory(flight.bytes().addressOffset(), bytesOf(slot), flight.length());
        lengths[slot] = flight.length();
        senders[slot] = flight.from();
        sourcePorts[slot] = flight.sourcePort();
        flags[slot] = flight.ecn();
        queue[(queueHead + queueCount++) % queue.length] = slot;
        queuedBytes = waitingBytes;
    }

    @Override
    public PortCapabilities capabilities() {
        return new PortCapabilities(
                Framing.DATAGRAM,
                shape.frameBytesMax(),
                shape.receiveBufferBytes(),
                shape.burstPackets(),
                SimWire.SOURCE_PORTS,
                true,
                "end " + end + " of a wire in virtual time");
    }

    @Override
    public int udpPort() {
        return UDP_PORT;
    }

    @Override
    public int sourcePort(int index) {
        return FIRST_SOURCE_PORT + index;
    }

    @Override
    public int receive(PacketBurst burst) {
        require(!isClosed && burst.isEmpty(), "receive by a closed port or into a burst that is not empty");
        int count = Math.min(burst.capacity(), queueCount);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            int slot = queue[queueHead];
            queueHead = (queueHead + 1) % queue.length;
            move(slot, Owner.QUEUED, Owner.LANE);
            describe(burst, i, slot);
            burst.length(i, lengths[slot]);
            burst.flags(i, flags[slot]);
            burst.address(i, 0, addressOf(senders[slot]));
            burst.remotePort(i, FIRST_SOURCE_PORT + sourcePorts[slot]);
            burst.localPort(i, UDP_PORT);
            burst.scope(i, 0);
            bytes += lengths[slot];
            queuedBytes -= PortCapabilities.bufferedBytes(lengths[slot]);
        }
        queueCount -= count;
        burst.size(count);
        counters.add(PortCounter.RX_PACKETS, count);
        counters.add(PortCounter.RX_BYTES, bytes);
        return count;
    }

    @Override
    public int allocate(PacketBurst burst, int count) {
        require(!isClosed && burst.isEmpty(), "allocate from a closed port or into a burst that is not empty");
        int granted = Math.min(Math.min(count, burst.capacity()), freeCount);
        for (int i = 0; i < granted; i++) {
            describe(burst, i, takeFree(Owner.LANE));
        }
        burst.size(granted);
        return granted;
    }

    @Override
    public int transmit(PacketBurst burst) {
        require(!isClosed, "transmit into a closed port");
        int accepted = burst.size();
        if (wire.isFaulty(nowNs) && random.hits(shape.refusalsPerMillion())) {
            accepted = random.below(accepted + 1);
        }
        for (int i = 0; i < accepted; i++) {
            launch(burst, i);
        }
        counters.add(PortCounter.TX_BUSY, burst.size() - accepted);
        return accepted;
    }

    private void launch(PacketBurst burst, int i) {
        int slot = slotOf(burst, i);
        int length = burst.length(i);
        require(length > 0 && length <= shape.frameBytesMax(), "a packet that is empty or too long");
        int to = (int) (burst.addressLow(i) - addressOf(0));
        int sourcePort = burst.localPort(i) - FIRST_SOURCE_PORT;
        boolean isSendable = to >= 0 && to < wire.ends() && burst.remotePort(i) == UDP_PORT;
        require(isSendable && burst.addressHigh(i) == 0, "a packet to nowhere");
        require(sourcePort >= 0 && sourcePort < SimWire.SOURCE_PORTS, "a source port of nobody");
        counters.add(PortCounter.TX_PACKETS, 1);
        counters.add(PortCounter.TX_BYTES, length);
        if (linkIsUp()) {
            SimWire.Flight flight = wire.claim();
            UnsafeApi.copyMemory(bytesOf(slot), flight.bytes().addressOffset(), length);
            SimWire.address(flight, length, end, to, sourcePort);
            wire.send(flight, nowNs);
        }
        giveBack(slot, Owner.LANE);
    }

    @Override
    public void release(PacketBurst burst) {
        for (int i = 0; i < burst.size(); i++) {
            if (--releasesUntilLeak != 0) {
                giveBack(slotOf(burst, i), Owner.LANE);
            }
        }
        burst.size(0);
    }

    @Override
    public boolean linkIsUp() {
        return nowNs >= downUntilNs;
    }

    @Override
    public long counter(PortCounter counter) {
        return counters.get(counter);
    }

    /** The lane lets go; what waits unreceived is the port's own to forget. The memory stays until {@link #dispose}. */
    @Override
    public void close() {
        isClosed = true;
        while (queueCount > 0) {
            giveBack(queue[queueHead], Owner.QUEUED);
            queueHead = (queueHead + 1) % queue.length;
            queueCount--;
        }
    }

    /** Checks that no free buffer was written, and gives the memory back. */
    public void dispose() {
        try {
            for (int i = 0; i < freeCount; i++) {
                require(UnsafeApi.getLong(bytesOf(free[i])) == FREE_MARK, "a buffer was written after its release");
            }
        } finally {
            UnsafeApi.freeMemory(memory);
        }
    }

    private int takeFree(Owner to) {
        int slot = free[--freeCount];
        require(UnsafeApi.getLong(bytesOf(slot)) == FREE_MARK, "a buffer was written after its release");
        move(slot, Owner.FREE, to);
        return slot;
    }

    private void giveBack(int slot, Owner from) {
        move(slot, from, Owner.FREE);
        UnsafeApi.putLong(bytesOf(slot), FREE_MARK);
        free[freeCount++] = slot;
    }

    private int slotOf(PacketBurst burst, int i) {
        long handle = burst.handle(i);
        require(handle >= 0 && handle < owners.length, "a buffer of another port");
        require(burst.data(i) == bytesOf((int) handle), "handle and bytes disagree");
        return (int) handle;
    }

    private void describe(PacketBurst burst, int i, int slot) {
        burst.handle(i, slot);
        burst.data(i, bytesOf(slot));
    }

    private long bytesOf(int slot) {
        return memory + (long) slot * bufferBytes;
    }

    private void move(int slot, Owner from, Owner to) {
        if (owners[slot] != from) {
            throw new OracleViolation("port " + end + ": a buffer is " + owners[slot] + ", not " + from);
        }
        owners[slot] = to;
    }

    private void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new OracleViolation("port " + end + ": " + what);
        }
    }
}
