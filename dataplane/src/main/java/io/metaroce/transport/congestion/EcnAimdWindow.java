// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * ECN AIMD with the DCTCP estimate of how much was marked (RFC 8257, section 3.3): the window doubles per round trip until
 * the first mark, then grows by one packet per round trip and shrinks by half the marked fraction, at most once per round
 * trip. Loss alone never shrinks it: a timeout does, to one packet, after which growth starts afresh.
 */
public final class EcnAimdWindow implements CongestionControl {
    /** DCTCP's estimation gain. */
    private static final double GAIN = 1.0 / 16;
    /** Length of a round while no round-trip time is known. */
    private static final long ROUND_DEFAULT_NS = 1_000_000;

    private final long packetBytes;
    private final long initialBytes;
    private final long limitBytes;
    private double windowBytes;
    private long thresholdBytes = Long.MAX_VALUE;
    private double markedFraction = 1;
    private long roundEndNs = Long.MIN_VALUE;
    private long roundPackets;
    private long roundMarkedPackets;
    private boolean isCongested;

    public EcnAimdWindow(long packetBytes, long initialBytes, long limitBytes) {
        this.packetBytes = packetBytes;
        this.initialBytes = Math.max(packetBytes, initialBytes);
        this.limitBytes = Math.max(packetBytes, limitBytes);
        this.windowBytes = Math.min(this.initialBytes, this.limitBytes);
    }

    @Override
    public long windowBytes() {
        return (long) windowBytes;
    }

    @Override
    public void onAcknowledged(long acknowledgedBytes, int packets, int markedPackets, long roundTripNs, long nowNs) {
        roundPackets += packets;
        roundMarkedPackets += markedPackets;
        if (markedPackets == 0) {
            grow(acknowledgedBytes);
        }
        if (roundEndNs == Long.MIN_VALUE || nowNs - roundEndNs >= 0) {
            endRound();
            roundEndNs = nowNs + (roundTripNs > 0 ? roundTripNs : ROUND_DEFAULT_NS);
        }
    }

    @Override
    public void onTimeout(long nowNs) {
        // Silence is no mark: while nothing was ever marked, growth goes on doubling.
        if (thresholdBytes != Long.MAX_VALUE) {
            thresholdBytes = (long) Math.max(2.0 * packetBytes, windowBytes / 2);
        }
        windowBytes = packetBytes;
    }

    @Override
    public void onNewEpoch(long nowNs) {
        windowBytes = Math.min(initialBytes, limitBytes);
        thresholdBytes = Long.MAX_VALUE;
        markedFraction = 1;
        roundPackets = 0;
        roundMarkedPackets = 0;
        isCongested = false;
    }

    @Override
    public boolean isCongested() {
        // MOP-CC-7
        return isCongested;
    }

    private void grow(long acknowledgedBytes) {
        double increase =
                windowBytes < thresholdBytes ? acknowledgedBytes : packetBytes * acknowledgedBytes / windowBytes;
        windowBytes = Math.min((double) limitBytes, windowBytes + increase);
    }

    private void endRound() {
        if (roundPackets == 0) {
            return;
        }
        double fraction = Math.min(1.0, (double) roundMarkedPackets / roundPackets);
        markedFraction += GAIN * (fraction - markedFraction);
        isCongested = roundMarkedPackets > 0;
        if (isCongested) {
            windowBytes = Math.max((double) packetBytes, windowBytes * (1 - markedFraction / 2));
            thresholdBytes = (long) windowBytes;
        }
        roundPackets = 0;
        roundMarkedPackets = 0;
    }
}
