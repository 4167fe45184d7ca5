// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.wire.Serial;

/**
 * Finds the largest payload that one plane carries: a small PROBE and a padded one go out together; the padded one's echo
 * is the proof. Only if the small one was answered and the padded one was not, eight times, is the next smaller size tried,
 * so that an absent or slow peer is never mistaken for a black hole (MOP-PATH).
 */
final class PayloadProof {
    static final int PAYLOAD_MIN = 256;
    /** Unanswered padded probes, with answered small ones, after which a size is given up. */
    static final int STRIKES_MAX = 8;

    private enum Turn {
        SMALL,
        PADDED,
        WAITING,
        PROVEN,
        BLACK_HOLE
    }

    private Turn turn = Turn.SMALL;
    private int payloadBytes;
    private int strikes;
    private int tries;
    private int smallTimestamp;
    private int paddedTimestamp;
    private boolean isSmallAnswered;
    private boolean isHurried;
    private long deadlineNs = Long.MAX_VALUE;

    /**
     * @param payloadBytesMax first size to try, a power of two
     */
    PayloadProof(int payloadBytesMax) {
        payloadBytes = payloadBytesMax;
    }

    /** Size being tried, or proven. */
    int payloadBytes() {
        return payloadBytes;
    }

    boolean isProven() {
        return turn == Turn.PROVEN;
    }

    /** No size gets through although small packets do. */
    boolean isBlackHole() {
        return turn == Turn.BLACK_HOLE;
    }

    /** Rounds without any proof. */
    int tries() {
        return tries;
    }

    boolean isProbeDue() {
        return turn == Turn.SMALL || turn == Turn.PADDED;
    }

    boolean isNextPadded() {
        return turn == Turn.PADDED;
    }

    void onProbeSent(int timestamp, long answerDeadlineNs) {
        if (turn == Turn.SMALL) {
            smallTimestamp = timestamp;
            turn = Turn.PADDED;
        } else {
            paddedTimestamp = timestamp;
            turn = Turn.WAITING;
            deadlineNs = answerDeadlineNs;
        }
    }

    void onEcho(int timestamp) {
        if (turn != Turn.WAITING) {
            return;
        }
        if (timestamp == paddedTimestamp) {
            turn = Turn.PROVEN;
            deadlineNs = Long.MAX_VALUE;
        } else if (!Serial.isBefore(timestamp, smallTimestamp)) {
            isSmallAnswered = true;
        }
    }

    /** The peer probes us, so it is there: a round that went out before it was is begun again, once. */
    void onPeerProbe() {
        if (turn == Turn.WAITING && !isSmallAnswered && !isHurried) {
            isHurried = true;
            turn = Turn.SMALL;
            deadlineNs = Long.MAX_VALUE;
        }
    }

    void onTimer(long nowNs) {
        if (turn != Turn.WAITING || nowNs - deadlineNs < 0) {
            return;
        }
        tries++;
        if (isSmallAnswered && ++strikes == STRIKES_MAX) {
            strikes = 0;
            payloadBytes /= 2;
        }
        isSmallAnswered = false;
        isHurried = false;
        deadlineNs = Long.MAX_VALUE;
        turn = payloadBytes < PAYLOAD_MIN ? Turn.BLACK_HOLE : Turn.SMALL;
    }

    long nextDeadlineNs() {
        return deadlineNs;
    }

    void onStall(long stallNs) {
        if (deadlineNs != Long.MAX_VALUE) {
            deadlineNs += stallNs;
        }
    }
}
