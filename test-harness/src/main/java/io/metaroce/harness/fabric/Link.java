// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import io.metaroce.harness.sim.SeededRandom;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a cable with the queue before it. A packet's arrival is computed when its transmission begins, so a hop
 * through an idle port costs one event; the port's own event is needed only while something waits.
 *
 * <pre>
 *   offer -> [control queue]  -> transmitter -> packets on the cable, in order -> node
 *            [data queue   ]      rate, marks     delay, faults
 * </pre>
 */
public final class Link {
    private static final int SHIFT = 16;
    private static final double PS_PER_SECOND_BITS = 8e12;

    private final Fabric fabric;
    private final int id;
    private final Node to;
    private final PacketPool pool;
    private final LinkCounters counters = new LinkCounters();
    private final SeededRandom random;
    private final PacketRing data = new PacketRing();
    private final PacketRing control = new PacketRing();
    private final PacketRing flight = new PacketRing();
    private final int arrivalEvent;
    private final int portEvent;
    private QueueSpec queue;
    private final long delayPs;
    private long psPerByteShifted;
    private @Nullable LinkFaults faults;
    private @Nullable SharedBuffer buffer;
    private @Nullable PauseControl pauses;
    private @Nullable LinkTap tap;
    private @Nullable Host owner;
    private long queuedBytes;
    private int queuedPackets;
    private long freeAtPs;
    private boolean isUp = true;
    private boolean isPaused;

    Link(Fabric fabric, int id, LinkSpec spec, Node to, long seed) {
        this.fabric = fabric;
        this.id = id;
        this.to = to;
        this.pool = fabric.pool();
        this.queue = spec.queue();
        this.delayPs = spec.delayPs();
        this.random = new SeededRandom(seed);
        this.arrivalEvent = fabric.register(this::onArrival);
        this.portEvent = fabric.register(this::onFree);
        rate(spec.rateBitsPerSecond());
    }

    public int id() {
        return id;
    }

    public long delayPs() {
        return delayPs;
    }

    /** What stands at its end. */
    public Node to() {
        return to;
    }

    public boolean isFromSwitch() {
        return owner == null;
    }

    /** Whether it joins two switches. */
    public boolean isCore() {
        return owner == null && to instanceof Switch;
    }

    public LinkCounters counters() {
        return counters;
    }

    /** Bytes that wait, without the packet being transmitted. */
    public long queuedBytes() {
        return queuedBytes;
    }

    int queuedPackets() {
        return queuedPackets;
    }

    /** Bits per second from now on: a link that degrades keeps what it has. */
    public void rate(long bitsPerSecond) {
        psPerByteShifted = Math.round(PS_PER_SECOND_BITS / bitsPerSecond * (1 << SHIFT));
    }

    public void queue(QueueSpec spec) {
        queue = spec;
    }

    public void faults(LinkFaults newFaults) {
        faults = newFaults;
    }

    public void tap(LinkTap newTap) {
        tap = newTap;
    }

    void buffer(SharedBuffer shared) {
        buffer = shared;
    }

    void pauses(PauseControl control) {
        pauses = control;
    }

    void owner(Host host) {
        owner = host;
    }

    public boolean isUp() {
        return isUp;
    }

    /** A link that is down loses what is sent into it; what is on the cable still arrives. */
    public void isUp(boolean up) {
        isUp = up;
    }

    /** The device at the end asks for silence, or ends it. */
    void isPaused(boolean paused, long nowPs) {
        isPaused = paused;
        if (paused) {
            counters.pauses++;
        } else if (queuedPackets > 0) {
            fabric.schedule(portEvent, Math.max(nowPs, freeAtPs));
        } else if (owner != null) {
            owner.onRoom(nowPs);
        }
    }

    boolean isPaused() {
        return isPaused;
    }

    long serializationPs(int bytes) {
        return (bytes * psPerByteShifted) >> SHIFT;
    }

    /** A packet for this link: queued, sent at once, or dropped. */
    void offer(int packet, long nowPs) {
        int bytes = pool.wireBytes(packet);
        if (queuedBytes + bytes > queue.capacityBytes() || (buffer != null && !buffer.admits(queuedBytes, bytes))) {
            counters.drops++;
            fabric.drop(packet);
            return;
        }
        if (queuedPackets == 0 && freeAtPs <= nowPs && !isPaused) {
            transmit(packet, bytes, nowPs);
            if (owner != null) {
                fabric.schedule(portEvent, freeAtPs);
            }
            return;
        }
        boolean overtakes = queue.controlFirst() && pool.trafficClass(packet) == PacketPool.CONTROL;
        (overtakes ? control : data).add(packet, bytes);
        queuedPackets++;
        queuedBytes += bytes;
        counters.queuedBytesMax = Math.max(counters.queuedBytesMax, queuedBytes);
        if (buffer != null) {
            buffer.take(bytes);
        }
        if (pauses != null) {
            pauses.onQueued(pool.ingress(packet), bytes, nowPs);
        }
        if (queuedPackets == 1 && !isPaused) {
            fabric.schedule(portEvent, freeAtPs);
        }
    }

    /** The transmitter is free. */
    private void onFree(long nowPs) {
        if (isPaused) {
            return;
        }
        if (queuedPackets > 0) {
            transmitNext(nowPs);
        }
        if (owner != null) {
            owner.onRoom(nowPs);
            if (freeAtPs > nowPs) {
                fabric.schedule(portEvent, freeAtPs);
            }
        } else if (queuedPackets > 0) {
            fabric.schedule(portEvent, freeAtPs);
        }
    }

    private void transmitNext(long nowPs) {
        PacketRing next = control.isEmpty() ? data : control;
        int bytes = (int) next.firstValue();
        int packet = next.removeFirst();
        queuedPackets--;
        queuedBytes -= bytes;
        if (buffer != null) {
            buffer.giveBack(bytes);
        }
        if (pauses != null) {
            pauses.onLeft(pool.ingress(packet), bytes, nowPs);
        }
        // What leaves is marked by what it leaves behind: the news is as fresh as it can be.
        if (queue.marks() && isMarkDue() && pool.ecn(packet) == Framing.ECT_0) {
            pool.ecn(packet, Framing.CE);
            counters.marks++;
        }
        transmit(packet, bytes, nowPs);
    }

    private boolean isMarkDue() {
        if (queuedBytes < queue.markFromBytes()) {
            return false;
        }
        if (queuedBytes >= queue.markAllBytes()) {
            return true;
        }
        long span = queue.markAllBytes() - queue.markFromBytes();
        return Long.remainderUnsigned(random.nextLong(), span) < queuedBytes - queue.markFromBytes();
    }

    private void transmit(int packet, int bytes, long nowPs) {
        freeAtPs = nowPs + serializationPs(bytes);
        counters.packets++;
        counters.bytes += bytes;
        if (tap != null) {
            tap.onPacket(this, packet, nowPs);
        }
        if (!isUp) {
            counters.lost++;
            fabric.drop(packet);
            return;
        }
        if (faults != null && isMishandled(faults, packet)) {
            return;
        }
        fly(packet, freeAtPs + delayPs);
    }

    /** Whether a fault took the packet out of the ordinary way. */
    private boolean isMishandled(LinkFaults judge, int packet) {
        if (judge.loses(pool.trafficClass(packet))) {
            counters.lost++;
            fabric.drop(packet);
            return true;
        }
        if (judge.corrupts()) {
            pool.corrupt(packet);
        }
        if (judge.duplicates()) {
            fabric.copies++;
            fabric.later(this, pool.copyOf(packet), freeAtPs + delayPs + judge.extraPs());
        }
        if (judge.holdsBack()) {
            fabric.later(this, packet, freeAtPs + delayPs + judge.extraPs());
            return true;
        }
        return false;
    }

    private void fly(int packet, long arrivalPs) {
        if (flight.isEmpty()) {
            fabric.schedule(arrivalEvent, arrivalPs);
        }
        flight.add(packet, arrivalPs);
    }

    private void onArrival(long nowPs) {
        int packet = flight.removeFirst();
        if (!flight.isEmpty()) {
            fabric.schedule(arrivalEvent, flight.firstValue());
        }
        deliver(packet, nowPs);
    }

    void deliver(int packet, long nowPs) {
        fabric.hops++;
        to.onPacket(packet, this, nowPs);
    }
}
