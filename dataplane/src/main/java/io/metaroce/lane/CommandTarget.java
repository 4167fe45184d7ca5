// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.transport.stream.StreamSettings;

/** What commands do to a lane; the lane's thread. */
final class CommandTarget implements LaneCommands.Consumer {
    private final ConnectionTable connections;
    private final MemoryRegionTable regions;
    private final Planes planes;
    private final LaneEvents events;
    private final CounterBlock counters;
    private long nowNs;
    private boolean isEnded;

    CommandTarget(
            ConnectionTable connections,
            MemoryRegionTable regions,
            Planes planes,
            LaneEvents events,
            CounterBlock counters) {
        this.connections = connections;
        this.regions = regions;
        this.planes = planes;
        this.events = events;
        this.counters = counters;
    }

    /** The time at which the commands drained next are carried out. */
    void advance(long newNowNs) {
        nowNs = newNowNs;
    }

    @Override
    public boolean canAnswer() {
        return events.hasRoom();
    }

    @Override
    public void onCommand(LaneCommand command) {
        answer(command, isEnded ? Refusal.LANE_STOPPED : command.applyTo(this, nowNs));
    }

    /** From now on commands come too late to be carried out. */
    void refuseAll() {
        isEnded = true;
    }

    private void answer(LaneCommand command, Refusal refusal) {
        boolean isDone = refusal == Refusal.NONE;
        LaneCounter counter = isDone ? LaneCounter.COMMANDS : LaneCounter.COMMANDS_REFUSED;
        counters.increment(counter.ordinal());
        events.stage(isDone ? LaneEvent.Kind.DONE : LaneEvent.Kind.REFUSED).answer(command.correlationId(), refusal);
        events.publish();
    }

    Refusal addConnection(ConnectionEntry entry, long now) {
        Refusal refusal = connections.add(entry);
        if (refusal != Refusal.NONE) {
            return refusal;
        }
        entry.connection().open(now);
        planes.tell(entry.connection(), now);
        connections.touch(entry);
        return Refusal.NONE;
    }

    Refusal closeConnection(int connectionId) {
        ConnectionEntry entry = connections.find(connectionId);
        if (entry == null) {
            return Refusal.UNKNOWN_CONNECTION;
        }
        entry.connection().close();
        connections.touch(entry);
        return Refusal.NONE;
    }

    Refusal openStream(int connectionId, StreamSettings stream) {
        ConnectionEntry entry = connections.find(connectionId);
        if (entry == null) {
            return Refusal.UNKNOWN_CONNECTION;
        }
        connections.touch(entry);
        return entry.connection().openStream(stream) ? Refusal.NONE : Refusal.STREAM;
    }

    Refusal closeStream(int connectionId, int streamId) {
        ConnectionEntry entry = connections.find(connectionId);
        if (entry == null) {
            return Refusal.UNKNOWN_CONNECTION;
        }
        entry.connection().closeStream(streamId);
        connections.touch(entry);
        return Refusal.NONE;
    }

    Refusal setPeerPlanes(int connectionId, int sequence, int usable, long now) {
        ConnectionEntry entry = connections.find(connectionId);
        if (entry == null) {
            return Refusal.UNKNOWN_CONNECTION;
        }
        entry.connection().onPeerPlanes(sequence, usable, now);
        connections.touch(entry);
        return Refusal.NONE;
    }

    Refusal installMemory(Registration memory) {
        boolean isInstalled = regions.install(
                memory.key(), memory.address(), memory.lengthBytes(), memory.accessFlags(), memory.protectionDomain());
        counters.set(LaneCounter.MEMORY_REGIONS.ordinal(), regions.count());
        return isInstalled ? Refusal.NONE : Refusal.KEY_TAKEN;
    }

    Refusal removeMemory(int key) {
        boolean isRemoved = regions.remove(key);
        counters.set(LaneCounter.MEMORY_REGIONS.ordinal(), regions.count());
        return isRemoved ? Refusal.NONE : Refusal.UNKNOWN_KEY;
    }

    Refusal setPlaneUsable(int plane, boolean isUsable, long now) {
        if (plane < 0 || plane >= planes.count()) {
            return Refusal.UNKNOWN_PLANE;
        }
        planes.setUsable(plane, isUsable);
        planes.poll(connections, events, now);
        return Refusal.NONE;
    }
}
