// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.port.PortCapabilities;
import java.security.SecureRandom;
import java.util.List;

/**
 * A lane as others see it. Commands may come from any thread and never wait: {@code false} means that the ring is full and
 * nothing was sent. A command that was sent is answered by exactly one event, DONE or REFUSED, with its correlation id.
 * Events are polled by one thread.
 */
public final class LaneControl {
    private final LaneCommands commands;
    private final LaneEvents events;
    private final ConnectionFactory connections;
    private final SecureRandom random = new SecureRandom();

    LaneControl(LaneCommands commands, LaneEvents events, ConnectionFactory connections) {
        this.commands = commands;
        this.events = events;
        this.connections = connections;
    }

    /** What each of the lane's ports offers, in plane order. */
    public List<PortCapabilities> ports() {
        return connections.ports();
    }

    /** Largest payload, in bytes, that every port of the lane can carry; a power of two. */
    public int payloadBytesMax() {
        return connections.payloadBytesMax();
    }

    /** Smallest receive buffer over the lane's ports, in bytes, to be announced to peers. */
    public long receiveBufferBytes() {
        return connections.receiveBufferBytes();
    }

    /**
     * An id for a new connection, unpredictable, so that a stranger cannot guess one. It is not reserved: two lanes may
     * draw the same, which does no harm, and the lane refuses one that it knows.
     */
    public int newConnectionId() {
        int id = random.nextInt();
        return id == 0 ? 1 : id;
    }

    /**
     * Adds a connection and starts it. Builds it here, in the caller's thread, because that allocates.
     *
     * @param counters zeroed memory that the connection writes until CONNECTION_FINISHED
     * @throws IllegalArgumentException if the specification contradicts itself or the lane's ports
     */
    public boolean addConnection(long correlationId, ConnectionSpec spec, ConnectionCounters counters) {
        return commands.tryPublish(
                new LaneCommand.AddConnection(correlationId, connections.newConnection(spec, counters)));
    }

    /** Ends a connection; answered at once, and CONNECTION_FINISHED follows when all its requests have completed. */
    public boolean closeConnection(long correlationId, int connectionId) {
        return commands.tryPublish(new LaneCommand.CloseConnection(correlationId, connectionId));
    }

    public boolean openStream(long correlationId, int connectionId, StreamSpec stream) {
        return commands.tryPublish(
                new LaneCommand.OpenStream(correlationId, connectionId, ConnectionFactory.settingsOf(stream)));
    }

    /**
     * Flushes a stream's requests; answered at once. STREAM_CLOSED follows after its last completion, or, if the
     * connection ends before, CONNECTION_FINISHED alone.
     */
    public boolean closeStream(long correlationId, int connectionId, int streamId) {
        return commands.tryPublish(new LaneCommand.CloseStream(correlationId, connectionId, streamId));
    }

    /** The peer said on the control channel which of its planes it can use. {@code usable} has bit i for plane i. */
    public boolean setPeerPlanes(long correlationId, int connectionId, int sequence, int usable) {
        return commands.tryPublish(new LaneCommand.SetPeerPlanes(correlationId, connectionId, sequence, usable));
    }

    /** Makes a registration usable by the lane's connections. */
    public boolean installMemory(long correlationId, Registration registration) {
        return commands.tryPublish(new LaneCommand.InstallMemory(correlationId, registration));
    }

    /** Makes a registration unusable; once answered, the lane does not touch its memory any more. */
    public boolean removeMemory(long correlationId, int key) {
        return commands.tryPublish(new LaneCommand.RemoveMemory(correlationId, key));
    }

    /** Takes a plane out of use, or back in, whatever its port says of its link. */
    public boolean setPlaneUsable(long correlationId, int plane, boolean isUsable) {
        return commands.tryPublish(new LaneCommand.SetPlaneUsable(correlationId, plane, isUsable));
    }

    /** Asks for nothing but the answer: everything sent before is done, and visible in the counters. */
    public boolean fence(long correlationId) {
        return commands.tryPublish(new LaneCommand.Fence(correlationId));
    }

    /**
     * Hands waiting events to the handler, on the caller's thread. An event counts as taken also if the handler throws.
     *
     * @param limit most events to take, at least 1
     * @return events taken
     */
    public int pollEvents(LaneEvent.Handler handler, int limit) {
        return events.poll(handler, limit);
    }
}
