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
    final PathHearing hearing = new PathHearing();
    final PathFeedback feedback;
    final FutileRepair futileRepair = new FutileRepair();
    private long timeoutDeadlineNs = NEVER;
    private long probeDeadlineNs = NEVER;
    private long lastSentNs;
    private boolean hasSent;
    private long peerDelayNs;
    /** Probes in a row after which nothing was heard: each doubles the wait for the next. */
    private int silentProbes;

    private long epochBeganNs = Long.MIN_VALUE;
    private boolean isEpochOwed;
    private boolean isProbeDue;
    private boolean isAnyPathWanted;
    private boolean isTailProbed = true;
    private boolean isProbeEvidence;

    PathSender(Path path, ConnectionState connection) {
        this.path = path;
        this.connection = connection;
        this.feedback = new PathFeedback(path, connection);
        connection.entropies[path.plane()].use(path.id(), path.sourcePortIndex());
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
            feedback.onSentAgain();
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

    /**
     * Takes an ACK of this path and epoch that {@link #isPlausible}.
     *
     * @return whether it answers, on this path, something later than any such ACK before
     */
    boolean onAck(AckFlyweight ack, SentPackets.AcknowledgedPackets listener, long nowNs) {
        int echo = ack.echoedTimestamp();
        boolean isDirect = !ack.hasFlag(AckFlyweight.FLAG_DETOUR);
        // MOP-LOSS-2, MOP-LOSS-28
        long acknowledgedBytes = sent.onAcknowledgement(ack, listener);
        boolean isNewEcho = evidence.onEcho(echo);
        long echoSentNs = nowNs - Timestamp.elapsedNs(echo, nowNs);
        boolean isNewAnswer = hearing.onEcho(echo, isDirect, echoSentNs);
        if (isNewEcho) {
            isProbeEvidence = isTailProbed;
        } else if (acknowledgedBytes == 0) {
            connection.count(ConnectionCounter.RX_STALE_ACKS);
        }
        if (isNewAnswer) {
            peerDelayNs = Timestamp.decodeDelayNs(ack.delay());
            long sampleNs = nowNs - echoSentNs - peerDelayNs;
            path.roundTrip().onSample(sampleNs, nowNs);
            feedback.onSample(sampleNs);
        }
        feedback.onAck(ack, acknowledgedBytes, nowNs);
        if (feedback.onDuplicates(ack.duplicates())) {
            evidence.onSpurious();
        }
        if (isDirect && (isNewAnswer || acknowledgedBytes > 0)) {
            onAnswer(isNewAnswer, nowNs);
        }
        detectLosses(nowNs);
        return isNewAnswer;
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
            if (isEpochOwed || health.onRevivalProbe()) {
                beginEpoch(otherEntropy(), nowNs);
            }
            isProbeDue = true;
            armTimeout(nowNs);
            return PathHealth.Step.NONE;
        }
        connection.count(ConnectionCounter.ACK_TIMEOUTS);
        connection.counters().paths().increment(PathCounter.ACK_TIMEOUTS.of(path.id()));
        if (health.timeouts() == 0) {
            hearing.onSilence(nowNs);
        }
        // MOP-LOSS-19, MOP-LOSS-21: a timer asks, and loses nothing
        PathHealth.Step step = health.onTimeout(hasAnsweringSibling, hearing.reachesPeer());
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
        health.onDeath();
        probeDeadlineNs = NEVER;
        isTailProbed = true;
        isAnyPathWanted = false;
        isProbeDue = isSettled(nowNs);
        isEpochOwed = !isProbeDue;
        if (isEpochOwed) {
            timeoutDeadlineNs = epochBeganNs + undoubledTimeoutNs();
        } else {
            beginEpoch(otherEntropy(), nowNs);
            armTimeout(nowNs);
        }
    }

    /** Whether the path waits before it begins its next epoch, so that nothing can be meant for it yet (MOP-PATH-16). */
    boolean isEpochOwed() {
        return isEpochOwed;
    }

    /** Goes on another way, though the old one still answers; the last PROBE of the old epoch has just been sent. */
    void changeWay(long nowNs) {
        beginEpoch(otherEntropy(), nowNs);
        timeoutDeadlineNs = NEVER;
        probeDeadlineNs = NEVER;
        isProbeDue = false;
        isTailProbed = true;
    }

    /** Taken out of service: nothing is sent, not even probes. */
    void rest() {
        hearing.onNewEpoch();
        futileRepair.onNewEpoch();
        isEpochOwed = false;
        timeoutDeadlineNs = NEVER;
        probeDeadlineNs = NEVER;
        isProbeDue = false;
        isTailProbed = true;
    }

    /** Before sending after a long pause: opens a new epoch if the old timestamps are too far back (MOP-SEQ-12). */
    void renewIfIdle(long nowNs) {
        if (sent.isEmpty() && hasSent && nowNs - lastSentNs >= IDLE_EPOCH_NS) {
            sent.reset();
            beginEpoch(path.sourcePortIndex(), nowNs);
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

    /** Whether the present epoch is at least one timeout old: 256 of them cannot come round too soon (MOP-PATH-16). */
    boolean isSettled(long nowNs) {
        return epochBeganNs == Long.MIN_VALUE || nowNs - epochBeganNs >= undoubledTimeoutNs();
    }

    long undoubledTimeoutNs() {
        return path.roundTrip().timeoutNs(floorNs(), peerDelayNs);
    }

    boolean takeEvidenceDue(long nowNs) {
        return hearing.takeEvidenceDue(nowNs) && path.state() == PathState.SUSPECT;
    }

    boolean isRefutedBy(PathSender sibling) {
        return hearing.isRefutedBy(sibling.hearing, undoubledTimeoutNs());
    }

    /** A path of the same plane fell silent, and this one has not been heard of since: it must answer first. */
    void doubt() {
        hearing.doubt();
        isProbeDue = true;
    }

    boolean isDoubted() {
        return hearing.isDoubted();
    }

    /** Another path of the plane was revived: this one is probed again at once. */
    void hope(long nowNs) {
        if (path.state() == PathState.PROBING && !isEpochOwed) {
            health.onHope();
            isProbeDue = true;
            armTimeout(nowNs);
        }
    }

    boolean isUnrepairable() {
        return futileRepair.isFutile(sent);
    }

    /** Whether something sent on this path after a moment has been answered on it. */
    boolean hasAnsweredSince(long sinceNs) {
        return path.isLiving() && hearing.hasAnsweredSince(sinceNs);
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
        if (isAnyPathWanted) {
            hearing.onAnyPathProbeSent(nowNs, nowNs + undoubledTimeoutNs());
        }
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
        return Math.min(Math.min(timeoutDeadlineNs, probeDeadlineNs), hearing.nextDeadlineNs());
    }

    void onStall(long stallNs) {
        if (timeoutDeadlineNs != NEVER) {
            timeoutDeadlineNs += stallNs;
        }
        if (probeDeadlineNs != NEVER) {
            probeDeadlineNs += stallNs;
        }
        hearing.onStall(stallNs);
    }

    private void onAnswer(boolean isNewEcho, long nowNs) {
        health.onAnswer();
        isAnyPathWanted = false;
        hearing.onAnswer();
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

    private void detectLosses(long nowNs) {
        if (!evidence.exists() || sent.outstanding() == 0) {
            return;
        }
        int threshold = evidence.threshold();
        if (evidence.isGuarded()) {
            int roundTripAgo = Timestamp.ofNs(nowNs - path.roundTrip().smoothedNs());
            threshold = Serial.isBefore(roundTripAgo, threshold) ? roundTripAgo : threshold;
        }
        int lost = sent.detectLosses(threshold);
        evidence.onLosses(lost);
        feedback.onLost(lost, nowNs);
    }

    /** Another way than the present one, which is not to be tried again soon. */
    private int otherEntropy() {
        connection.entropies[path.plane()].onLeft(path.sourcePortIndex());
        return connection.entropies[path.plane()].choose(path.id());
    }

    private void beginEpoch(int entropy, long nowNs) {
        path.beginEpoch(entropy, nowNs);
        epochBeganNs = nowNs;
        isEpochOwed = false;
        feedback.onNewEpoch();
        hearing.onNewEpoch();
        futileRepair.onNewEpoch();
        connection.ended.onEpochBegun(path.id(), path.epoch());
        evidence.reset();
        peerDelayNs = 0;
    }

    private void armTimeout(long nowNs) {
        timeoutDeadlineNs = nowNs + health.backedOff(undoubledTimeoutNs());
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
