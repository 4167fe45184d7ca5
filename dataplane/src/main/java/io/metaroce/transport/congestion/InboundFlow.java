// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

import org.jspecify.annotations.Nullable;

/** What arrives on one connection through one plane, and the share of the plane's rate that it is told. */
public final class InboundFlow {
    static final long BASE_DEFAULT_NS = 100_000;
    /** A changed share is told at once if it moved by more than one part in ten. */
    private static final int PUSH_PARTS = 10;

    final long hostHigh;
    final long hostLow;
    private final InboundPlane plane;

    @Nullable
    InboundFlow next;

    @Nullable
    InboundFlow previous;

    boolean isActive;
    /** Active flows of the same host, this one included: they divide the host's share. */
    int siblings = 1;
    /** Wire bytes of the present window. */
    long windowBytes;
    /** Of those, bytes that were sent again: a flow that repairs shows not what it wants. */
    long windowRepairBytes;
    /** Bytes that wait at the sender, as its last packet said. */
    long backlogBytes;

    long activeSinceNs;
    long lastDataNs;
    long baseNs = Long.MAX_VALUE;
    /** Arrival rate in 1/256 Mbit/s over whole windows; negative until one is measured. */
    long rateFine = -1;
    /** Least share told in the window: what arrives falls short of it only if the sender wants less. */
    long leastShareFine = Long.MAX_VALUE;

    /** In the last whole window it took less than it was told. */
    boolean isShort;

    boolean isSatisfied;
    long shareFine;
    private long toldFine;
    private int packetBytes;

    InboundFlow(InboundPlane plane, long hostHigh, long hostLow) {
        this.plane = plane;
        this.hostHigh = hostHigh;
        this.hostLow = hostLow;
    }

    /** The least round trip to the sender, in ns. */
    public void baseRoundTrip(long leastNs) {
        baseNs = Math.min(baseNs, leastNs);
    }

    /** Whether the plane's rate is known: otherwise nothing is counted and no hint is given. */
    public boolean isGoverned() {
        return plane.isKnown();
    }

    /**
     * A packet of the flow arrived, new or duplicate.
     *
     * @param bytes of the whole MOP packet
     * @param isAgain whether it was sent more than once
     * @param backlog bytes that wait at the sender
     * @param queueNs how much longer than the fastest it travelled
     */
    public void onData(int bytes, boolean isAgain, long backlog, long queueNs, long nowNs) {
        if (!plane.isKnown()) {
            return;
        }
        packetBytes = bytes + Rates.WIRE_OVERHEAD_BYTES;
        windowBytes += packetBytes;
        windowRepairBytes += isAgain ? packetBytes : 0;
        backlogBytes = backlog;
        lastDataNs = nowNs;
        plane.onData(this, queueNs, nowNs);
    }

    /** Length of the last packet on the wire: what one more or less in a window comes to. */
    int windowPacketBytes() {
        return packetBytes;
    }

    /** Base round trip to the sender; a default until one is measured. */
    long knownBaseNs() {
        return baseNs == Long.MAX_VALUE ? BASE_DEFAULT_NS : baseNs;
    }

    /** The connection ends: what it had is the others'. */
    public void leave() {
        plane.deactivate(this);
    }

    /** The share in Mbit/s; 0 while there is none to tell. */
    public long shareMbps() {
        return isActive ? Math.max(1, shareFine >> InboundPlane.FINE_SHIFT) : 0;
    }

    /** Which computation the share is from, modulo 256. */
    public int epoch() {
        return plane.epoch();
    }

    /** Whether the share changed by so much since it was told that an ACK must tell it unasked (MOP-CC-26). */
    public boolean isPushDue() {
        return isActive && Math.abs(shareFine - toldFine) * PUSH_PARTS > toldFine;
    }

    public void onTold() {
        toldFine = shareFine;
    }
}
