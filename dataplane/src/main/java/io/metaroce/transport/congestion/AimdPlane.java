// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

import org.jspecify.annotations.Nullable;

/** The connection's paths through one plane: the sum of their windows, the plane's cap and hint, its pacer. */
final class AimdPlane {
    private static final int FINE_SHIFT = EcnAimdWindow.FINE_SHIFT;
    /** A hint of all but one part in eight of our own rate needs no pacing: marks and windows see to the rest. */
    private static final int LINE_RATE_PARTS = 8;

    private static final int FULL_QUEUE_PARTS = 16;
    private static final int STAGES_MAX = 3;
    private static final int ROUNDS_PER_STAGE = 8;
    /** The additive increase of a connection is this part of the bandwidth-delay product where a round trip is long. */
    private static final int INCREASE_PARTS = 64;

    private static final long INCREASE_BYTES_MAX = 1 << 21;
    private static final long INCREASE_ROUND_TRIP_NS = 1_000_000;

    private final @Nullable AimdConnection connection;
    private final EcnAimdWindow[] paths;
    private final long packetBytes;
    private final long pathLimitBytes;
    private final long initialBytes;
    private final int incastDegree;
    private final long noiseNs;
    /** Delay that the hosts may cause, whether or not a rate is known. */
    private final long hostNs;

    private final long rateMbps;
    private final Hint hint;
    private final MarkedShare marks = new MarkedShare();
    private final LastHop lastHop = new LastHop();
    private final Pacer pacer;
    private int pathCount;
    private int living;
    private long sumFine;
    private long baseNs = Long.MAX_VALUE;
    private long smoothedNs;
    private long roundEndNs = Long.MIN_VALUE;

    AimdPlane(CongestionSettings settings, ConnectionShape shape, int plane, AimdConnection connection) {
        this.connection = connection;
        this.paths = new EcnAimdWindow[shape.pathsOf(plane)];
        this.packetBytes = shape.packetBytes();
        this.pathLimitBytes = shape.pathLimitBytes();
        this.initialBytes = Math.max(1, shape.initialBytes() * paths.length / shape.paths());
        this.incastDegree = settings.incastDegree();
        this.rateMbps = plane < settings.planeRatesMbps().size()
                ? settings.planeRatesMbps().get(plane)
                : 0;
        // Without a rate no delay can be told from the hosts' own.
        this.noiseNs = rateMbps > 0 ? settings.noiseNs() : Long.MAX_VALUE;
        this.hostNs = settings.noiseNs();
        this.hint = new Hint(settings.hintPeriodNs());
        this.pacer = new Pacer(settings.hintPeriodNs() / 2, shape.seed() + plane);
    }

    private AimdPlane(long packetBytes, long initialBytes, long limitBytes) {
        this.connection = null;
        this.paths = new EcnAimdWindow[1];
        this.packetBytes = packetBytes;
        this.pathLimitBytes = limitBytes;
        this.initialBytes = Math.max(packetBytes, initialBytes);
        this.incastDegree = 0;
        this.noiseNs = Long.MAX_VALUE;
        this.hostNs = 0;
        this.rateMbps = 0;
        this.hint = new Hint(0);
        this.pacer = new Pacer(0, 0);
    }

    static AimdPlane ofOnePath(long packetBytes, long initialBytes, long limitBytes) {
        return new AimdPlane(packetBytes, initialBytes, limitBytes);
    }

    EcnAimdWindow newPath() {
        EcnAimdWindow path = new EcnAimdWindow(this, packetBytes, pathLimitBytes);
        adopt(path);
        return path;
    }

    void adopt(EcnAimdWindow path) {
        paths[pathCount++] = path;
    }

    Pacer pacer() {
        return pacer;
    }

    long noiseNs() {
        return noiseNs;
    }

    long baseNs() {
        return baseNs;
    }

    int living() {
        return Math.max(1, living);
    }

    /** Queueing above which a path that sees no marks gives way: 0.75 of the base round trip (MOP-CC-14). */
    long delayBoundNs() {
        return baseNs == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(baseNs - baseNs / 4, noiseNs);
    }

    /** Queueing above which a loss is one of a full queue: a sixteenth of the base round trip (MOP-CC-21). */
    long fullQueueNs() {
        return baseNs == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(baseNs / FULL_QUEUE_PARTS, noiseNs);
    }

    /** First window of each path: a part of the bandwidth-delay product by the incast declared (MOP-CC-10). */
    long firstWindowFine() {
        long bytes = initialBytes;
        if (isProductKnown()) {
            long productBytes = productBytes();
            bytes = switch (incastDegree) {
                case 0 -> Math.min(productBytes, initialBytes);
                case 1 -> productBytes;
                default -> productBytes / 2 / incastDegree;
            };
        }
        return (bytes << FINE_SHIFT) / paths.length;
    }

    /** Bytes of the connection's additive increase in a round trip on this plane (MOP-CC-15). */
    long increaseBytes(int cleanRounds) {
        if (!isProductKnown()) {
            return packetBytes;
        }
        long productPart = productBytes() / INCREASE_PARTS;
        long bytes = productPart * Math.min(baseNs, INCREASE_ROUND_TRIP_NS) / INCREASE_ROUND_TRIP_NS;
        return Math.min(INCREASE_BYTES_MAX, Math.max(packetBytes / 2, bytes))
                << Math.min(STAGES_MAX, cleanRounds / ROUNDS_PER_STAGE);
    }

    /** How far the sum of the windows may still grow. */
    long roomFine(long nowNs) {
        long capBytes = capBytes(nowNs);
        return capBytes == Long.MAX_VALUE ? Long.MAX_VALUE : (capBytes << FINE_SHIFT) - sumFine;
    }

    long windowBytes(long nowNs) {
        return living == 0 ? 0 : Math.min(sumFine >> FINE_SHIFT, capBytes(nowNs));
    }

    /** What may go out, in Mbit/s; 0 until a round trip was measured. */
    long allowedMbps(long nowNs) {
        if (baseNs == Long.MAX_VALUE) {
            return 0;
        }
        long windowMbps = Rates.mbpsOf(windowBytes(nowNs), baseNs);
        return hint.isInForce(smoothedNs, nowNs) ? Math.min(windowMbps, hint.rateMbps()) : windowMbps;
    }

    long hintMbps(long nowNs) {
        return hint.isInForce(smoothedNs, nowNs) ? hint.rateMbps() : 0;
    }

    void onHint(int epoch, long hintMbps, long nowNs) {
        if (!hint.onHint(epoch, hintMbps, nowNs)) {
            return;
        }
        long capBytes = capBytes(nowNs);
        if (capBytes != Long.MAX_VALUE) {
            long allottedFine = (capBytes << FINE_SHIFT) / living();
            for (int i = 0; i < pathCount; i++) {
                paths[i].onAllotted(allottedFine);
            }
        }
        if (isLineRate()) {
            pacer.release();
        }
    }

    void onSent(int bytes, long nowNs) {
        if (hint.isInForce(smoothedNs, nowNs) && !isLineRate()) {
            pacer.onSent(bytes, hint.rateMbps(), nowNs);
        }
    }

    void onService(boolean isTaken, long windowFine) {
        living += isTaken ? 1 : -1;
        sumFine += isTaken ? windowFine : -windowFine;
    }

    void onWindow(long changeFine) {
        sumFine += changeFine;
    }

    void onSample(long queueNs, long pathBaseNs) {
        baseNs = Math.min(baseNs, pathBaseNs);
        if (connection != null) {
            connection.onSample(queueNs, pathBaseNs);
        }
    }

    void onDelivered(int packets, int markedPackets, long roundTripNs, long nowNs) {
        smoothedNs = roundTripNs;
        marks.onPackets(packets, markedPackets);
        if (roundEndNs == Long.MIN_VALUE || nowNs - roundEndNs >= 0) {
            marks.endRound();
            roundEndNs = nowNs + roundTripNs;
        }
        expire(nowNs);
        if (connection != null) {
            connection.onDelivered(packets, roundTripNs, nowNs);
        }
    }

    void onLost(int packets, long nowNs) {
        if (connection != null) {
            connection.onLost(packets, nowNs);
        }
    }

    /** A round trip of a path ended; returns whether the congestion it showed is the last hop's, which hints settle. */
    boolean onRound(boolean isSlowed, long nowNs) {
        return lastHop.onRound(isSlowed, hint.isInForce(smoothedNs, nowNs), smoothedNs, nowNs);
    }

    /** Share of the plane's packets that were marked of late, over all its paths. */
    int markedShare() {
        return marks.share();
    }

    boolean isLastHop() {
        return lastHop.isBlamed();
    }

    private void scale(int kept) {
        for (int i = 0; i < pathCount; i++) {
            paths[i].scale(kept);
        }
    }

    void onOverflow(int kept) {
        for (int i = 0; i < pathCount; i++) {
            paths[i].onOverflow(kept);
        }
    }

    /** A hint that is no longer renewed leaves the windows where it held them, never at line rate (MOP-CC-19). */
    private void expire(long nowNs) {
        if (hint.isValid() && !hint.isInForce(smoothedNs, nowNs)) {
            long capFine = hintCapBytes() << FINE_SHIFT;
            hint.forget();
            pacer.release();
            if (sumFine > capFine) {
                scale((int) Math.max(1, capFine / Math.max(1, sumFine >> 16)));
            }
        }
    }

    private boolean isProductKnown() {
        return rateMbps > 0 && baseNs != Long.MAX_VALUE;
    }

    private long productBytes() {
        return Rates.bytesIn(rateMbps, baseNs);
    }

    private boolean isLineRate() {
        return rateMbps > 0 && hint.rateMbps() >= rateMbps - rateMbps / LINE_RATE_PARTS;
    }

    /** A quarter of the base, or what the hosts themselves may take: a window that just fits leaves gaps. */
    private long marginNs() {
        return Math.max(baseNs / 4, hostNs);
    }

    private long hintCapBytes() {
        return Rates.bytesIn(hint.rateMbps(), baseNs + marginNs()) + packetBytes;
    }

    /** Most that the plane's paths may have in flight: the hint's worth, or 1.25 bandwidth-delay products (MOP-CC-13). */
    private long capBytes(long nowNs) {
        if (baseNs == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long lineBytes = rateMbps > 0 ? Rates.bytesIn(rateMbps, baseNs + marginNs()) + packetBytes : Long.MAX_VALUE;
        boolean isHinted = hint.isInForce(smoothedNs, nowNs) && !isLineRate();
        return isHinted ? Math.min(lineBytes, hintCapBytes()) : lineBytes;
    }
}
