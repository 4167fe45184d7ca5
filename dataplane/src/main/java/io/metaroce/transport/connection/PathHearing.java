// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.wire.Serial;

/**
 * What was heard of a path and which way the answers came, from which follows whether its silence is its own: a sibling
 * that answers refutes a path that reaches nobody, while a path whose answers come by a detour only loses ACKs (MOP-PATH-9
 * to MOP-PATH-11, MOP-PATH-33).
 */
final class PathHearing {
    /** Timestamps, and so the moments that echoes name, are that coarse. */
    private static final long UNIT_NS = 16;

    private static final long NEVER = Long.MAX_VALUE;
    /** Before anything; far from the ends of the range, so that differences do not overflow. */
    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    private int directEcho;
    private boolean hasDirectEcho;
    /** When the latest transmission was made that the peer has echoed on this very path, and through a sibling. */
    private long echoedSentNs = LONG_AGO;

    private long detouredSentNs = LONG_AGO;
    private long anyProbeSentNs = LONG_AGO;
    /** When the first of the present timeouts in a row expired. */
    private long silentSinceNs = LONG_AGO;

    private long evidenceDeadlineNs = NEVER;
    private boolean isDoubted;

    /**
     * An ACK echoes what was sent at a moment.
     *
     * @return whether it came on the path itself and echoes something later than any such ACK before. That a detour brought
     *     the same echo before does not matter: that was no answer, and this is
     */
    boolean onEcho(int echo, boolean isDirect, long echoSentNs) {
        if (!isDirect) {
            detouredSentNs = Math.max(detouredSentNs, echoSentNs);
            return false;
        }
        boolean isNew = !hasDirectEcho || Serial.isAfter(echo, directEcho);
        if (isNew) {
            hasDirectEcho = true;
            directEcho = echo;
            echoedSentNs = echoSentNs;
        }
        return isNew;
    }

    /** The first of some timeouts in a row expired. */
    void onSilence(long nowNs) {
        silentSinceNs = nowNs;
    }

    /**
     * @param evidenceNs when a sibling's answer will be evidence; one is asked then
     */
    void onAnyPathProbeSent(long nowNs, long evidenceNs) {
        anyProbeSentNs = nowNs;
        evidenceDeadlineNs = evidenceNs + UNIT_NS;
    }

    /** An answer on the path itself: no doubt is left. */
    void onAnswer() {
        isDoubted = false;
        evidenceDeadlineNs = NEVER;
    }

    void onNewEpoch() {
        hasDirectEcho = false;
        isDoubted = false;
        evidenceDeadlineNs = NEVER;
    }

    long silentSinceNs() {
        return silentSinceNs;
    }

    /** Whether something sent after a moment was answered on the path itself. */
    boolean hasAnsweredSince(long sinceNs) {
        return echoedSentNs - sinceNs > 0;
    }

    /** Whether what the path sends arrives, though no answer comes back on it. */
    boolean reachesPeer() {
        return detouredSentNs - silentSinceNs > -UNIT_NS;
    }

    /** Whether a sibling answers what it sent a timeout after our last PROBE for any path, and nobody answers that one. */
    boolean isRefutedBy(PathHearing sibling, long timeoutNs) {
        return anyProbeSentNs - silentSinceNs >= 0
                && sibling.echoedSentNs - anyProbeSentNs >= timeoutNs
                && !reachesPeer();
    }

    /** A path of the same plane fell silent, and this one was not heard of since: it must answer before it is used. */
    void doubt() {
        isDoubted = true;
    }

    boolean isDoubted() {
        return isDoubted;
    }

    boolean takeEvidenceDue(long nowNs) {
        boolean isDue = evidenceDeadlineNs != NEVER && nowNs - evidenceDeadlineNs >= 0;
        if (isDue) {
            evidenceDeadlineNs = NEVER;
        }
        return isDue;
    }

    long nextDeadlineNs() {
        return evidenceDeadlineNs;
    }

    void onStall(long stallNs) {
        if (evidenceDeadlineNs != NEVER) {
            evidenceDeadlineNs += stallNs;
        }
    }
}
