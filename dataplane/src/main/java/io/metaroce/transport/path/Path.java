// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import io.metaroce.transport.congestion.CongestionControl;
import io.metaroce.wire.Serial;
import io.metaroce.wire.Timestamp;

/** One way through one plane: identity, entropy, epoch, round-trip time, window and health. */
public final class Path {
    private final int id;
    private final int plane;
    private final int sourcePorts;
    private final RoundTrip roundTrip = new RoundTrip();
    private final CongestionControl congestion;
    private PathState state = PathState.OPENING;
    private int epoch;
    private int sourcePortIndex;
    private int ackSourcePortIndex;
    private int lastTimestamp;
    private boolean hasTimestamp;
    private boolean hasSentInEpoch;

    /**
     * @param sourcePorts entropies to choose from, at least 1
     * @param firstSourcePort where to begin, any number
     */
    public Path(int id, int plane, int sourcePorts, int firstSourcePort, CongestionControl congestion) {
        this.id = id;
        this.plane = plane;
        this.sourcePorts = sourcePorts;
        this.sourcePortIndex = Math.floorMod(firstSourcePort, sourcePorts);
        this.ackSourcePortIndex = sourcePortIndex;
        this.congestion = congestion;
    }

    public int id() {
        return id;
    }

    public int plane() {
        return plane;
    }

    public PathState state() {
        return state;
    }

    public void enter(PathState newState) {
        state = newState;
        congestion.onService(isLiving());
    }

    public int epoch() {
        return epoch;
    }

    /** Entropy: which source port of the plane's pool. */
    public int sourcePortIndex() {
        return sourcePortIndex;
    }

    /** Entropy of the ACKs that answer the peer on this path (MOP-PATH-18). */
    public int ackSourcePortIndex() {
        return ackSourcePortIndex;
    }

    /** The ACKs may be what is lost: they alone take another way (MOP-PATH-19). */
    public void changeAckEntropy() {
        ackSourcePortIndex = (ackSourcePortIndex + 1) % sourcePorts;
    }

    public RoundTrip roundTrip() {
        return roundTrip;
    }

    public CongestionControl congestion() {
        return congestion;
    }

    /**
     * Begins the next epoch; timestamps go on rising (MOP-PATH-15).
     *
     * @param entropy from now on, for ACKs too; the present one to go on the same way
     */
    public void beginEpoch(int entropy, long nowNs) {
        // MOP-PATH-16: the owner lets a timeout pass between two epochs
        epoch = (epoch + 1) & 0xff;
        hasSentInEpoch = false;
        if (entropy != sourcePortIndex) {
            sourcePortIndex = entropy;
            ackSourcePortIndex = entropy;
            roundTrip.forgetLeast();
        }
        // MOP-CC-5
        // MOP-CC-5
        congestion.onNewEpoch(nowNs);
    }

    /** The timestamp of a DATA or PROBE sent now: strictly increasing, max(now, last + 1) (MOP-SEQ-11). */
    public int nextTimestamp(long nowNs) {
        int timestamp = Timestamp.ofNs(nowNs);
        if (hasTimestamp && !Serial.isAfter(timestamp, lastTimestamp)) {
            timestamp = lastTimestamp + 1;
        }
        hasTimestamp = true;
        lastTimestamp = timestamp;
        hasSentInEpoch = true;
        return timestamp;
    }

    /** After a long pause the last timestamp is no measure any more (MOP-SEQ-12). */
    public void forgetTimestamp() {
        hasTimestamp = false;
    }

    /** Whether a timestamp may be an echo of ours: something was sent in this epoch (MOP-LOSS-26), and nothing later. */
    public boolean isPlausibleEcho(int timestamp) {
        return hasSentInEpoch && !Serial.isAfter(timestamp, lastTimestamp);
    }

    /** Of the DATA or PROBE that was sent last. */
    public int lastTimestamp() {
        return lastTimestamp;
    }

    /** Whether first transmissions may be put on the path (MOP-PATH-25). */
    public boolean carriesNewData() {
        return isLiving();
    }

    /** Whether the path counts as alive when a sibling falls silent. */
    public boolean isLiving() {
        return state == PathState.ACTIVE || state == PathState.CONGESTED;
    }
}
