// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.wire.PacketView;

/** Skeleton of the connection's contract; the body follows. */
public abstract class Connection {

    /** The id that packets to us carry. */
    public abstract int localId();

    /** Starts: paths open and prove the payload size. */
    public abstract void open(long nowNs);

    /** Adds a stream whose number both sides agreed on; false when a bound is reached or the number is taken. */
    public abstract boolean openStream(StreamSettings stream);

    /** Flushes a stream's requests and forgets it once the last completion is delivered. */
    public abstract void closeStream(int streamId, long nowNs);

    /** Ends the connection: every pending request completes as flushed. */
    public abstract void close(long nowNs);

    /** Takes one parsed packet whose connection id is ours. */
    public abstract void onPacket(PacketView packet, Arrival arrival, long nowNs);

    /** The receive turn is over: acknowledgements of what arrived fall due. */
    public abstract void onReceiveTurnEnd(long nowNs);

    /** Takes posted work requests from the rings; returns how many. */
    public abstract int onWorkRequests(int limit, long nowNs);

    /** The deadline passed that {@link #nextDeadlineNs} gave; early calls are harmless. */
    public abstract void onTimer(long nowNs);

    /** The owner's loop stood still for so long; all deadlines move by as much. Call after draining receive. */
    public abstract void onStall(long stallNs);

    /** The local link of a plane went up or down. */
    public abstract void onPlaneLink(int plane, boolean isUp, long nowNs);

    /** When {@link #onTimer} must be called at latest; {@link Long#MAX_VALUE} if never. */
    public abstract long nextDeadlineNs();

    /**
     * Writes the next packet, if there is one to send now.
     *
     * @return its length in bytes; 0 when there is nothing to say
     */
    public abstract int pollTransmit(TransmitFrame frame, long nowNs);

    /** Whether {@link #pollTransmit} may have something. */
    public abstract boolean wantsTransmit(long nowNs);

    /** Lost or closed, and every completion delivered: the owner may forget it. */
    public abstract boolean isFinished();
}
