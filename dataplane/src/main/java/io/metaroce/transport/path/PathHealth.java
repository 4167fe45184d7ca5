// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/**
 * The ladder from silence to death and back (MOP-PATH-9, MOP-PATH-10): first timeout, second timeout SUSPECT, third DEAD if
 * a sibling answers meanwhile, then probes at growing intervals until two are answered.
 */
public final class PathHealth {
    /** Timeouts in a row at which a path is suspected. */
    public static final int SUSPECT_TIMEOUTS = 2;
    /** Timeouts in a row at which a suspected path with a living sibling is dead. */
    public static final int DEAD_TIMEOUTS = 3;
    /** Timeouts in a row at which a path dies that reaches the peer and only loses the answers: the peer has time to answer another way. */
    public static final int DEAD_TIMEOUTS_REACHING = 8;
    /** Answered probes that revive a dead path. */
    public static final int REVIVAL_ANSWERS = 2;
    /** Unanswered probes of a dead path after which entropy and epoch change again. */
    public static final int PROBES_PER_ENTROPY = 2;
    /** Largest doubling of the timeout and of the probing interval: 64 times. */
    public static final int BACKOFF_SHIFT_MAX = 6;

    private int timeouts;
    private int backoffShift;
    private int revivalAnswers;
    private int unansweredProbes;

    /** What a timeout demands. */
    public enum Step {
        NONE,
        /** Probe, and let a sibling copy what blocks the connection window. */
        PROBE,
        SUSPECT,
        DIE
    }

    /**
     * @param hasAnsweringSibling whether a sibling answered something sent after this path fell silent
     * @param reachesPeer whether a sibling brought the answer to something sent on this path after it fell silent
     */
    public Step onTimeout(boolean hasAnsweringSibling, boolean reachesPeer) {
        // MOP-PATH-14: silence alone is counted here, never marks or delay
        timeouts++;
        backoffShift = Math.min(backoffShift + 1, BACKOFF_SHIFT_MAX);
        int deadly = reachesPeer ? DEAD_TIMEOUTS_REACHING : DEAD_TIMEOUTS;
        if (timeouts >= deadly && hasAnsweringSibling) {
            return Step.DIE;
        }
        return timeouts >= SUSPECT_TIMEOUTS ? Step.SUSPECT : Step.PROBE;
    }

    /** The path answered with something new. */
    public void onAnswer() {
        timeouts = 0;
        backoffShift = 0;
    }

    /** The path died: probing begins at the shortest interval. */
    public void onDeath() {
        timeouts = 0;
        backoffShift = 0;
        revivalAnswers = 0;
        unansweredProbes = 0;
    }

    /** A probe of a dead path went unanswered for its interval; returns whether another way is to be tried (MOP-PATH-20). */
    public boolean onRevivalProbe() {
        backoffShift = Math.min(backoffShift + 1, BACKOFF_SHIFT_MAX);
        unansweredProbes++;
        revivalAnswers = 0;
        return unansweredProbes % PROBES_PER_ENTROPY == 0;
    }

    /** A dead path has reason for hope: it is probed at the shortest interval again. */
    public void onHope() {
        backoffShift = 0;
    }

    /** A probe of a dead path was answered; returns whether the path is revived. */
    public boolean onRevivalAnswer() {
        revivalAnswers++;
        return revivalAnswers >= REVIVAL_ANSWERS;
    }

    public int timeouts() {
        return timeouts;
    }

    /** A time with the present back-off applied. */
    public long backedOff(long timeNs) {
        return timeNs << backoffShift;
    }
}
