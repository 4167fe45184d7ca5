// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.transport.stream.StreamSettings;

/** A wish of another thread, whole and unchangeable before it enters the ring; carried out on the lane's thread. */
sealed interface LaneCommand {

    /** Chosen by the sender; the answer carries it. */
    long correlationId();

    /** Carries the command out; anything but {@link Refusal#NONE} means that nothing was changed. */
    Refusal applyTo(CommandTarget target, long nowNs);

    record AddConnection(long correlationId, ConnectionEntry entry) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.addConnection(entry, nowNs);
        }
    }

    record CloseConnection(long correlationId, int connectionId) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.closeConnection(connectionId);
        }
    }

    record OpenStream(long correlationId, int connectionId, StreamSettings stream) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.openStream(connectionId, stream);
        }
    }

    record CloseStream(long correlationId, int connectionId, int streamId) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.closeStream(connectionId, streamId);
        }
    }

    record SetPeerPlanes(long correlationId, int connectionId, int sequence, int usable) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.setPeerPlanes(connectionId, sequence, usable, nowNs);
        }
    }

    record InstallMemory(long correlationId, Registration registration) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.installMemory(registration);
        }
    }

    record RemoveMemory(long correlationId, int key) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.removeMemory(key);
        }
    }

    record SetPlaneUsable(long correlationId, int plane, boolean isUsable) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return target.setPlaneUsable(plane, isUsable, nowNs);
        }
    }

    record Fence(long correlationId) implements LaneCommand {
        @Override
        public Refusal applyTo(CommandTarget target, long nowNs) {
            return Refusal.NONE;
        }
    }
}
