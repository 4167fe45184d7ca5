// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.PathCounter;
import io.metaroce.transport.path.Path;
import io.metaroce.transport.path.PathHealth;
import io.metaroce.transport.path.PathReason;
import io.metaroce.transport.path.PathState;
import io.metaroce.transport.recovery.LossEvidence;
import io.metaroce.transport.recovery.SentPackets;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Serial;
import io.metaroce.wire.Timestamp;

/**
 * The sending half of one path: what is in flight, what its ACKs prove, and when silence must be broken. Probing, repair
 * and the move to siblings follow MOP-LOSS and MOP-PATH.
 */
final class PathSender {
    static final long NEVER = Long.MAX_VALUE;
    /** A path idle for so long opens a new epoch before it sends again, so that timestamps never wrap unseen. */
    static final long IDLE_EPOCH_NS = 16_000_000_000L;

    final Path path;
    SentPackets sent = new SentPackets();
    final PathHealth health = new PathHealth();
    private final ConnectionState connection;
    private final LossEvidence evidence = new LossEvidence();
    private long timeoutDeadlineNs = NEVER;
    private long probeDeadlineNs = NEVER;
    private long lastSentNs;
    private boolean hasSent;
    /** When the latest transmission was made that the peer has echoed on this very path. */
    private long echoedSentNs = Long.MIN_VALUE;
    /** When the first of the present timeouts in a row expired. */
    private long silentSinceNs;

    private long peerDelayNs;
    /** Probes in a row after which nothing was heard: each doubles the wait for the next. */
    private int silentProbes;

    private boolean isProbeDue;
    private boolean isAnyPathWanted;
    private boolean isTailProbed = true;
    private boolean isProbeEvidence;
    private int peerReceived;
    private int peerMarked;
    private int peerDuplicates;
    private int sentAgainSinceDuplicate;

    PathSender(Path path, ConnectionState connection) {
        this.path = path;
        this.connection = connection;
    }

    /** Whether new data of so many bytes fits the path's window; an empty path takes one packet. */
    boolean hasWindow(int packetBytes) {
        // MOP-CC-1
        long inFlightBytes = sent.inFlightBytes();
        return inFlightBytes == 0
                || inFlightBytes + packetBytes <= path.congestion().windowBytes();
    }

    /** A DATA packet goes out, new or again. */
    void onDataSent(int packetBytes, boolean isAgain, long nowNs) {
        lastSentNs = nowNs;
        hasSent = true;
        isTailProbed = false;
        connection.counters().paths().increment(PathCounter.TX_PACKETS.of(path.id()));
        connection.counters().paths().add(PathCounter.TX_BYTES.of(path.id()), packetBytes);
        if (isAgain) {
            sentAgainSinceDuplicate++;
            connection.counters().paths().increment(PathCounter.TX_RETRANSMITTED.of(path.id()));
            connection.count(
                    isProbeEvidence
                            ? ConnectionCounter.TX_RETRANSMITTED_PROBE
                            : ConnectionCounter.TX_RETRANSMITTED_SACK);
            connection.count(ConnectionCounter.TX_RETRANSMITTED_BYTES, packetBytes);
        }
        if (timeoutDeadlineNs == NEVER) {
            armTimeout(nowNs);
        }
        silentProbes = 0;
        watchForSilence(nowNs);
    }

    /** Whether an ACK can be one of ours: it names nothing that was never sent (MOP-LOSS-26, MOP-LOSS-27). */
    boolean isPlausible(AckFlyweight ack) {
        return sent.isPlausible(ack.nextPathSequence()) && path.isPlausibleEcho(ack.echoedTimestamp());
    }

    /** Takes an ACK of this path and epoch that {@link #isPlausible}; returns packets newly declared lost. */
    int onAck(AckFlyweight ack, SentPackets.AcknowledgedPackets listener, long nowNs) {
        int echo = ack.echoedTimestamp();
        boolean isDirect = !ack.hasFlag(AckFlyweight.FLAG_DETOUR);
        // MOP-LOSS-2, MOP-LOSS-28
        long acknowledgedBytes = sent.onAcknowledgement(ack, listener);
        boolean isNewEcho = evidence.onEcho(echo);
        if (isNewEcho) {
            isProbeEvidence = isTailProbed;
            if (isDirect) {
                echoedSentNs = nowNs - Timestamp.elapsedNs(echo, nowNs);
                peerDelayNs = Timestamp.decodeDelayNs(ack.delay());
                path.roundTrip().onSample(Timestamp.elapsedNs(echo, nowNs) - peerDelayNs, nowNs);
            }
        } else if (acknowledgedBytes == 0) {
            connection.count(ConnectionCounter.RX_STALE_ACKS);
        }
        feedCongestionControl(ack, acknowledgedBytes, nowNs);
        judgeDuplicates(ack.duplicates());
        if (isDirect && (isNewEcho || acknowledgedBytes > 0)) {
            onAnswer(isNewEcho, nowNs);
        }
        return detectLosses(nowNs);
    }

    /** Deadlines that have passed take effect; returns the ladder's step. */
    PathHealth.Step onTimer(boolean hasAnsweringSibling, long nowNs) {
        if (probeDeadlineNs != NEVER && nowNs - probeDeadlineNs >= 0) {
            isProbeDue = true;
            silentProbes = Math.min(silentProbes + 1, PathHealth.BACKOFF_SHIFT_MAX);
            watchForSilence(nowNs);
        }
        if (timeoutDeadlineNs == NEVER || nowNs - timeoutDeadlineNs < 0) {
            return PathHealth.Step.NONE;
        }
        if (path.state() == PathState.PROBING) {
            if (health.onRevivalProbe()) {
                beginEpoch(true, nowNs);
            }
            isProbeDue = true;
            armTimeout(nowNs);
            return PathHealth.Step.NONE;
        }
        connection.count(ConnectionCounter.ACK_TIMEOUTS);
        connection.counters().paths().increment(PathCounter.ACK_TIMEOUTS.of(path.id()));
        if (health.timeouts() == 0) {
            silentSinceNs = nowNs;
        }
        // MOP-LOSS-19, MOP-LOSS-21: a timer asks, and loses nothing
        PathHealth.Step step = health.onTimeout(hasAnsweringSibling);
        // MOP-CC-5
        path.congestion().onTimeout(nowNs);
        probeDeadlineNs = NEVER;
        isProbeDue = true;
        isAnyPathWanted = true;
        armTimeout(nowNs);
        return step;
    }

    /** Everything in flight has moved: the path starts a new epoch on another entropy and is probed until it answers. */
    void die(long nowNs) {
        assert sent.isEmpty() : "what was in flight is kept elsewhere, for late ACKs";
        sent.reset();
        beginEpoch(true, nowNs);
        health.onDeath();
        probeDeadlineNs = NEVER;
        isTailProbed = true;
        isProbeDue = true;
        isAnyPathWanted = false;
        armTimeout(nowNs);
    }

    /** Taken out of service: nothing is sent, not even probes. */
    void rest() {
        timeoutDeadlineNs = NEVER;
        probeDeadlineNs = NEVER;
        isProbeDue = false;
        isTailProbed = true;
    }

    /** Before sending after a long pause: opens a new epoch if the old timestamps are too far back (MOP-SEQ-12). */
    void renewIfIdle(long nowNs) {
        if (sent.isEmpty() && hasSent && nowNs - lastSentNs >= IDLE_EPOCH_NS) {
            sent.reset();
            beginEpoch(false, nowNs);
            path.forgetTimestamp();
            hasSent = false;
        }
    }

    /** The connection has no more data for the path: its tail is probed at once. */
    void onRunDry() {
        // MOP-LOSS-15
        if (!isTailProbed && sent.outstanding() > 0) {
            isProbeDue = true;
        }
    }

    /** Whether the reorder guard is up: then one later echo proves no loss. */
    boolean isGuarded() {
        return evidence.isGuarded();
    }

    /** When the present silence began: the first of the timeouts in a row. */
    long silentSinceNs() {
        return silentSinceNs;
    }

    /** Whether something sent on this path after a moment has been answered on it. */
    boolean hasAnsweredSince(long sinceNs) {
        return path.isLiving() && echoedSentNs - sinceNs > 0;
    }

    boolean isProbeDue() {
        return isProbeDue;
    }

    boolean isAnyPathWanted() {
        return isAnyPathWanted;
    }

    void demandProbe() {
        isProbeDue = true;
    }

    void onProbeSent(long nowNs) {
        isProbeDue = false;
        isTailProbed = true;
        lastSentNs = nowNs;
        hasSent = true;
        if (probeDeadlineNs != NEVER) {
            watchForSilence(nowNs);
        }
        connection.counters().paths().increment(PathCounter.TX_PROBES.of(path.id()));
        if (timeoutDeadlineNs == NEVER) {
            armTimeout(nowNs);
        }
    }

    long nextDeadlineNs() {
        return Math.min(timeoutDeadlineNs, probeDeadlineNs);
    }

    void onStall(long stallNs) {
        if (timeoutDeadlineNs != NEVER) {
            timeoutDeadlineNs += stallNs;
        }
        if (probeDeadlineNs != NEVER) {
            probeDeadlineNs += stallNs;
        }
    }

    private void onAnswer(boolean isNewEcho, long nowNs) {
        health.onAnswer();
        isAnyPathWanted = false;
        switch (path.state()) {
            // MOP-PATH-8
            case OPENING, SUSPECT -> connection.enter(path, PathState.ACTIVE, PathReason.ANSWERED);
            case PROBING -> {
                // MOP-PATH-21
                if (isNewEcho && health.onRevivalAnswer()) {
                    connection.enter(path, PathState.ACTIVE, PathReason.PROBES_ANSWERED);
                } else {
                    isProbeDue = true;
                }
            }
            case ACTIVE, CONGESTED, DEAD, DENIED -> {
                // Answers change nothing here: congestion is judged by its controller, the others are being left.
            }
        }
        if (sent.outstanding() + sent.lost() > 0 || path.state() == PathState.PROBING) {
            armTimeout(nowNs);
            silentProbes = 0;
            watchForSilence(nowNs);
        } else {
            timeoutDeadlineNs = NEVER;
            probeDeadlineNs = NEVER;
        }
    }

    private int detectLosses(long nowNs) {
        if (!evidence.exists() || sent.outstanding() == 0) {
            return 0;
        }
        int threshold = evidence.threshold();
        if (evidence.isGuarded()) {
            int roundTripAgo = Timestamp.ofNs(nowNs - path.roundTrip().smoothedNs());
            threshold = Serial.isBefore(roundTripAgo, threshold) ? roundTripAgo : threshold;
        }
        // MOP-CC-6: the controller does not hear of it
        int lost = sent.detectLosses(threshold);
        evidence.onLosses(lost);
        return lost;
    }

    private void feedCongestionControl(AckFlyweight ack, long acknowledgedBytes, long nowNs) {
        // MOP-CC-4
        int packets = ack.receivedPackets() - peerReceived;
        if (packets < 0) {
            packets = 0;
        } else {
            peerReceived = ack.receivedPackets();
        }
        int marked = Serial.distance16(ack.cePackets(), peerMarked);
        if (marked > packets) {
            marked = 0;
        } else {
            peerMarked = ack.cePackets();
        }
        if (marked > 0) {
            connection.counters().paths().add(PathCounter.TX_CE_MARKED.of(path.id()), marked);
        }
        if (packets > 0 || acknowledgedBytes > 0) {
            long roundTripNs = path.roundTrip().isKnown() ? path.roundTrip().smoothedNs() : 0;
            path.congestion().onAcknowledged(acknowledgedBytes, packets, marked, roundTripNs, nowNs);
        }
    }

    private void judgeDuplicates(int duplicates) {
        int more = Serial.distance16(duplicates, peerDuplicates);
        if (more == 0 || more >= 1 << 15) {
            return;
        }
        peerDuplicates = duplicates;
        if (sentAgainSinceDuplicate > 0) {
            evidence.onSpurious();
            connection.count(ConnectionCounter.SPURIOUS_RETRANSMITS, Math.min(more, sentAgainSinceDuplicate));
        }
        sentAgainSinceDuplicate = 0;
    }

    private void beginEpoch(boolean changesEntropy, long nowNs) {
        path.beginEpoch(changesEntropy, nowNs);
        connection.ended.onEpochBegun(path.id(), path.epoch());
        evidence.reset();
        peerReceived = 0;
        peerMarked = 0;
        peerDuplicates = 0;
        sentAgainSinceDuplicate = 0;
        peerDelayNs = 0;
    }

    private void armTimeout(long nowNs) {
        timeoutDeadlineNs = nowNs + health.backedOff(path.roundTrip().timeoutNs(floorNs(), peerDelayNs));
    }

    private long floorNs() {
        return connection.settings.limits().timeoutFloorNs();
    }

    /**
     * 1.15 srtt and the peer's delay: longer silence with data outstanding is worth a probe, twice that the next. From the
     * first timeout on the timeouts alone probe, lest a path without an answer be flooded (MOP-LOSS-16).
     */
    private void watchForSilence(long nowNs) {
        if (health.timeouts() > 0 || path.state() == PathState.PROBING) {
            probeDeadlineNs = NEVER;
            return;
        }
        long smoothedNs = path.roundTrip().smoothedNs();
        long silenceNs = smoothedNs + smoothedNs * 3 / 20 + peerDelayNs;
        probeDeadlineNs = nowNs + (silenceNs << silentProbes);
    }
}
