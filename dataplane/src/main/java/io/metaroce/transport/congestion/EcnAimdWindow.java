// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * The window of one path (MOP-CC-8): doubles per round trip until the first sign of congestion, then grows by its part of the
 * connection's increase, and shrinks by half the marked share (DCTCP, RFC 8257), or where nothing marks by the excess of delay
 * (Swift), at most once in a round trip. Whole numbers only: the window in 1/256 byte, the marked share in 1/65536.
 */
public final class EcnAimdWindow implements CongestionControl {
    static final int FINE_SHIFT = 8;
    private static final int SHARE_SHIFT = 16;
    /** A window may be a part of a packet: then the sum over the paths is what counts. */
    private static final int FLOOR_PARTS = 64;
    /** Length of a round while no round-trip time is known. */
    private static final long ROUND_DEFAULT_NS = 1_000_000;
    /** Delay above the base that ends doubling: one part of the base in eight. */
    private static final int DOUBLING_BASE_PARTS = 8;
    /** With so many packets in a round, a path's own estimate weighs as much as its plane's. */
    private static final long PACKETS_TRUSTED = 4;
    /** Rounds without congestion after which a path may follow hints again. */
    private static final int ROUNDS_TO_TRUST = 16;

    private final AimdPlane plane;
    private final long packetBytes;
    private final long limitFine;
    private long windowFine;
    private long thresholdFine = Long.MAX_VALUE;
    private final MarkedShare marks = new MarkedShare();
    private boolean isInService;
    private boolean isUsed;
    private boolean isCongested;
    private int cleanRounds = ROUNDS_TO_TRUST;
    private long roundEndNs = Long.MIN_VALUE;
    private long roundBytes;
    private long lastRoundBytes;
    private long roundLeastNs = Long.MAX_VALUE;
    private long lastSampleNs = Long.MAX_VALUE;

    /** A path on its own, without connection, hints or known rates. */
    public EcnAimdWindow(long packetBytes, long initialBytes, long limitBytes) {
        this(AimdPlane.ofOnePath(packetBytes, initialBytes, limitBytes), packetBytes, limitBytes);
        plane.adopt(this);
        onService(true);
    }

    EcnAimdWindow(AimdPlane plane, long packetBytes, long limitBytes) {
        this.plane = plane;
        this.packetBytes = packetBytes;
        this.limitFine = Math.max(packetBytes, limitBytes) << FINE_SHIFT;
        this.windowFine = Math.min(plane.firstWindowFine(), limitFine);
    }

    @Override
    public long windowBytes() {
        return windowFine >> FINE_SHIFT;
    }

    @Override
    public void onRoundTrip(long sampleNs, long baseNs) {
        long queueNs = sampleNs - baseNs;
        plane.onSample(queueNs, baseNs);
        roundLeastNs = Math.min(roundLeastNs, queueNs);
        // Two in a row: a single late packet is no queue.
        long doublingNs = Math.max(baseNs / DOUBLING_BASE_PARTS, plane.noiseNs());
        if (Math.min(queueNs, lastSampleNs) > doublingNs) {
            endDoubling();
        }
        lastSampleNs = queueNs;
    }

    @Override
    public void onAcknowledged(long acknowledgedBytes, int packets, int markedPackets, long roundTripNs, long nowNs) {
        plane.onDelivered(packets, markedPackets, roundTripNs, nowNs);
        isUsed = true;
        marks.onPackets(packets, markedPackets);
        roundBytes += acknowledgedBytes;
        if (markedPackets == 0) {
            grow(acknowledgedBytes, nowNs);
        }
        if (roundEndNs == Long.MIN_VALUE || nowNs - roundEndNs >= 0) {
            endRound(nowNs);
            roundEndNs = nowNs + (roundTripNs > 0 ? roundTripNs : ROUND_DEFAULT_NS);
        }
    }

    @Override
    public void onLost(int packets, long nowNs) {
        if (lastSampleNs != Long.MAX_VALUE && lastSampleNs > plane.fullQueueNs()) {
            endDoubling();
        }
        plane.onLost(packets, nowNs);
    }

    @Override
    public void onTimeout(long nowNs) {
        // Silence is no mark: while nothing was ever marked, growth goes on doubling.
        if (thresholdFine != Long.MAX_VALUE) {
            thresholdFine = Math.max((2 * packetBytes) << FINE_SHIFT, windowFine / 2);
        }
        set(Math.min(windowFine, packetBytes << FINE_SHIFT));
    }

    @Override
    public void onNewEpoch(long nowNs) {
        thresholdFine = Long.MAX_VALUE;
        marks.reset(plane.markedShare());
        cleanRounds = ROUNDS_TO_TRUST;
        roundBytes = 0;
        lastRoundBytes = 0;
        roundLeastNs = Long.MAX_VALUE;
        lastSampleNs = Long.MAX_VALUE;
        isCongested = false;
        set(plane.firstWindowFine());
    }

    @Override
    public void onService(boolean isTaken) {
        if (isTaken == isInService) {
            return;
        }
        if (isTaken && !isUsed) {
            // The base round trip is known by now, so the bandwidth-delay product is too.
            set(plane.firstWindowFine());
        }
        isInService = isTaken;
        plane.onService(isTaken, windowFine);
    }

    @Override
    public boolean isSharedCongestion() {
        return plane.isLastHop();
    }

    @Override
    public boolean isCongested() {
        // MOP-CC-7
        return isCongested;
    }

    /** The peer allots so much to each path of the plane; one that shows no congestion follows at once (MOP-CC-17). */
    void onAllotted(long allottedFine) {
        if (isInService && cleanRounds >= ROUNDS_TO_TRUST && windowFine < allottedFine) {
            set(allottedFine);
        }
    }

    /** Keeps a part of the window, in parts of {@link LossJudge#ALL}; doubling is over. */
    void scale(int kept) {
        set(scaled(windowFine, kept));
        thresholdFine = windowFine;
    }

    /** Packets were lost in a queue: what is kept grows slowly again. */
    void onOverflow(int kept) {
        scale(kept);
        cleanRounds = 0;
    }

    static long scaled(long fine, int kept) {
        return (fine >> SHARE_SHIFT) * kept + (((fine & (LossJudge.ALL - 1)) * kept) >> SHARE_SHIFT);
    }

    private void grow(long acknowledgedBytes, long nowNs) {
        long increaseFine = windowFine < thresholdFine
                ? acknowledgedBytes << FINE_SHIFT
                : ((plane.increaseBytes(cleanRounds) * acknowledgedBytes) << (2 * FINE_SHIFT))
                        / windowFine
                        / plane.living();
        // What is not used proves nothing: never beyond twice what a round trip delivered, and a packet.
        long usedFine = (2 * Math.max(roundBytes, lastRoundBytes) + packetBytes) << FINE_SHIFT;
        long roomFine = Math.min(plane.roomFine(nowNs), Math.min(usedFine, limitFine) - windowFine);
        if (roomFine > 0) {
            set(windowFine + Math.min(increaseFine, roomFine));
        }
    }

    private void endDoubling() {
        if (thresholdFine == Long.MAX_VALUE && !plane.isLastHop()) {
            thresholdFine = windowFine;
        }
    }

    private void endRound(long nowNs) {
        long packets = marks.packets();
        if (packets == 0) {
            return;
        }
        boolean isMarked = marks.marked() > 0;
        marks.endRound();
        long excessNs = roundLeastNs == Long.MAX_VALUE ? 0 : roundLeastNs - plane.delayBoundNs();
        boolean isSlowed = isMarked || excessNs > 0;
        boolean isLastHop = plane.onRound(isSlowed, nowNs);
        isCongested = isSlowed && !isLastHop;
        if (isCongested) {
            cleanRounds = 0;
            set(isMarked ? windowFine - scaled(windowFine, trusted(packets) / 2) : slowed(excessNs));
            thresholdFine = windowFine;
        } else if (!isSlowed) {
            cleanRounds = Math.min(cleanRounds + 1, Integer.MAX_VALUE - 1);
        }
        lastRoundBytes = roundBytes;
        roundBytes = 0;
        roundLeastNs = Long.MAX_VALUE;
    }

    /** The path's own estimate as far as it rests on packets, else that of all the plane's paths (MOP-CC-8). */
    private int trusted(long packets) {
        return (int) ((packets * marks.share() + PACKETS_TRUSTED * plane.markedShare()) / (packets + PACKETS_TRUSTED));
    }

    /** Swift's cut: 0.8 of the excess in the whole delay, at most one half (MOP-CC-14). */
    private long slowed(long excessNs) {
        long wholeNs = roundLeastNs + plane.baseNs();
        long cut = Math.min(LossJudge.ALL / 2, excessNs * LossJudge.ALL / wholeNs * 4 / 5);
        return windowFine - scaled(windowFine, (int) cut);
    }

    private void set(long fine) {
        long bounded = Math.min(limitFine, Math.max((packetBytes << FINE_SHIFT) / FLOOR_PARTS, fine));
        if (isInService) {
            plane.onWindow(bounded - windowFine);
        }
        windowFine = bounded;
    }
}
