// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.ArrayList;
import java.util.List;

/**
 * A host: one link a plane, and endpoints that take turns. It works in turns as a lane does: packets that arrive during a
 * turn are answered at its end. The transmitter asks for packets as it becomes free, so that what an endpoint decides is
 * never older than {@link #PREFETCH_PACKETS} packets.
 */
public final class Host implements Node, EventSource {
    /** Packets ready before each link. */
    static final int PREFETCH_PACKETS = 2;
    /** Where one plane is slow and another has room, so many may pile up before the slow one. */
    static final int BACKLOG_PACKETS = 64;

    private static final long PS_PER_NS = 1_000;
    private static final long TURN_DEFAULT_PS = 1_000_000;

    private final Fabric fabric;
    private final PacketPool pool;
    private final int id;
    private final List<Link> uplinks = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    private final int turnEvent;
    private long turnPs = TURN_DEFAULT_PS;
    private long lastTurnPs = Long.MIN_VALUE / 2;
    private Slot[] ring = new Slot[4];
    private int ringHead;
    private int ringSize;
    private int touchedCount;
    private Slot[] touched = new Slot[4];
    private long corruptPackets;
    private long received;

    /** An endpoint, whether it may have something to send, and its timer. */
    private final class Slot implements EventSource {
        final Endpoint endpoint;
        final int peerHost;
        final int peerEndpoint;
        final int timerEvent;
        boolean isActive;
        boolean isTouched;

        Slot(Endpoint endpoint, int peerHost, int peerEndpoint) {
            this.endpoint = endpoint;
            this.peerHost = peerHost;
            this.peerEndpoint = peerEndpoint;
            this.timerEvent = fabric.register(this);
        }

        @Override
        public void onEvent(long nowPs) {
            touch(this);
            fabric.schedule(turnEvent, nowPs);
        }
    }

    Host(Fabric fabric, int id) {
        this.fabric = fabric;
        this.pool = fabric.pool();
        this.id = id;
        this.turnEvent = fabric.register(this);
    }

    public int id() {
        return id;
    }

    void attach(Link uplink) {
        uplinks.add(uplink);
        uplink.owner(this);
    }

    /** Its links, one a plane. */
    public List<Link> uplinks() {
        return uplinks;
    }

    /** How long packets wait at most for the loop to come round. */
    public void turnPs(long ps) {
        turnPs = ps;
    }

    /** Packets dropped because they were damaged. */
    public long corruptPackets() {
        return corruptPackets;
    }

    /** Packets taken by endpoints. */
    public long received() {
        return received;
    }

    /** The number that the next endpoint will have. */
    public int nextEndpoint() {
        return slots.size();
    }

    /** Adds an endpoint whose packets go to an endpoint of another host. */
    public int add(Endpoint endpoint, int peerHost, int peerEndpoint) {
        slots.add(new Slot(endpoint, peerHost, peerEndpoint));
        return slots.size() - 1;
    }

    /** The application did something with an endpoint: it is looked at in the next turn. */
    public void wake(int endpoint) {
        touch(slots.get(endpoint));
        fabric.schedule(turnEvent, nextTurnPs());
    }

    @Override
    public void onPacket(int packet, Link from, long nowPs) {
        if (pool.isCorrupt(packet)) {
            corruptPackets++;
            fabric.drop(packet);
            return;
        }
        received++;
        Slot slot = slots.get(pool.endpoint(packet));
        slot.endpoint.onPacket(packet, nowPs / PS_PER_NS);
        pool.release(packet);
        touch(slot);
        fabric.schedule(turnEvent, nextTurnPs());
    }

    /** A turn: endpoints that heard something act, then what there is to send is sent. */
    @Override
    public void onEvent(long nowPs) {
        lastTurnPs = nowPs;
        long nowNs = nowPs / PS_PER_NS;
        for (int i = 0; i < touchedCount; i++) {
            Slot slot = touched[i];
            slot.isTouched = false;
            slot.endpoint.onTurn(nowNs);
            activate(slot);
        }
        int count = touchedCount;
        touchedCount = 0;
        onRoom(nowPs);
        for (int i = 0; i < count; i++) {
            watch(touched[i]);
        }
    }

    /** A link has room: asks the endpoints in turn for packets. */
    void onRoom(long nowPs) {
        long nowNs = nowPs / PS_PER_NS;
        while (ringSize > 0 && hasRoom()) {
            Slot slot = takeFirst();
            int packet = slot.endpoint.poll(nowNs);
            if (packet == PacketPool.NONE) {
                slot.isActive = false;
                watch(slot);
                continue;
            }
            pool.route(packet, id, slot.peerHost, slot.peerEndpoint);
            pool.sentPs(packet, nowPs);
            uplinks.get(pool.plane(packet)).offer(packet, nowPs);
            putLast(slot);
        }
    }

    /** The local link of a plane goes down or up: everybody is told. */
    public void onPlane(int plane, boolean isUp, long nowPs) {
        for (Slot slot : slots) {
            slot.endpoint.onPlane(plane, isUp, nowPs / PS_PER_NS);
            touch(slot);
        }
        fabric.schedule(turnEvent, nowPs);
    }

    private long nextTurnPs() {
        long dueTurnPs = Math.max(fabric.nowPs(), lastTurnPs + turnPs);
        return touchedCount == 0 ? dueTurnPs : Math.min(dueTurnPs, fabric.pendingPs(turnEvent));
    }

    /** Some link can take a packet at once, and none has a long backlog. */
    private boolean hasRoom() {
        boolean hasRoom = false;
        for (int i = 0; i < uplinks.size(); i++) {
            Link uplink = uplinks.get(i);
            int queued = uplink.queuedPackets();
            if (queued >= BACKLOG_PACKETS) {
                return false;
            }
            hasRoom |= queued < PREFETCH_PACKETS && !uplink.isPaused();
        }
        return hasRoom;
    }

    private void watch(Slot slot) {
        long deadlineNs = slot.endpoint.nextDeadlineNs();
        if (deadlineNs == Long.MAX_VALUE) {
            fabric.schedule(slot.timerEvent, EventHeap.NEVER);
            return;
        }
        long duePs = deadlineNs * PS_PER_NS;
        // Who waits for a link may stay due for as long as the link is busy: a turn later is soon enough, or time would
        // stand.
        long soonestPs = fabric.nowPs() + Math.max(PS_PER_NS, turnPs);
        fabric.schedule(slot.timerEvent, slot.isActive ? Math.max(duePs, soonestPs) : duePs);
    }

    private void touch(Slot slot) {
        if (slot.isTouched) {
            return;
        }
        slot.isTouched = true;
        if (touchedCount == touched.length) {
            touched = java.util.Arrays.copyOf(touched, touchedCount * 2);
        }
        touched[touchedCount++] = slot;
    }

    private void activate(Slot slot) {
        if (!slot.isActive) {
            slot.isActive = true;
            putLast(slot);
        }
    }

    private void putLast(Slot slot) {
        if (ringSize == ring.length) {
            Slot[] larger = new Slot[ringSize * 2];
            for (int i = 0; i < ringSize; i++) {
                larger[i] = ring[(ringHead + i) & (ring.length - 1)];
            }
            ring = larger;
            ringHead = 0;
        }
        ring[(ringHead + ringSize++) & (ring.length - 1)] = slot;
    }

    private Slot takeFirst() {
        Slot slot = ring[ringHead];
        ringHead = (ringHead + 1) & (ring.length - 1);
        ringSize--;
        return slot;
    }
}
