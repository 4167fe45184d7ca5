// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

/**
 * The patience of a sender that waits for a posted receive: it asks after one round trip, then at doubling intervals, and
 * gives up when it is answered but gets no credit for the receiver-not-ready time (MOP-STR).
 */
public final class CreditRequests {
    /** Longest pause between two requests. */
    public static final long INTERVAL_MAX_NS = 100_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private long blockedSinceNs = NEVER;
    private long nextRequestNs = NEVER;
    private long intervalNs;
    private boolean isAnswered;

    /** Looks at the sender's state once a turn. */
    public void onTurn(boolean isBlocked, long roundTripNs, long nowNs) {
        if (!isBlocked) {
            blockedSinceNs = NEVER;
            nextRequestNs = NEVER;
        } else if (blockedSinceNs == NEVER) {
            blockedSinceNs = nowNs;
            isAnswered = false;
            intervalNs = Math.min(roundTripNs, INTERVAL_MAX_NS);
            nextRequestNs = nowNs + intervalNs;
        }
    }

    public boolean isRequestDue(long nowNs) {
        return nextRequestNs != NEVER && nowNs - nextRequestNs >= 0;
    }

    public void onRequestSent(long nowNs) {
        intervalNs = Math.min(2 * intervalNs, INTERVAL_MAX_NS);
        nextRequestNs = nowNs + intervalNs;
    }

    /** The peer told the limit, though it has not grown. */
    public void onAnswer() {
        isAnswered = true;
    }

    /** Whether the peer has answered since the sender was blocked: it lives, but posts no receive. */
    public boolean isAnswered() {
        return isAnswered;
    }

    /** New credit came, though perhaps for less than all that waits: patience starts afresh. */
    public void onCredit() {
        blockedSinceNs = NEVER;
        nextRequestNs = NEVER;
    }

    /** Whether the sender has waited longer than it was told to. */
    public boolean isExhausted(long timeoutNs, long nowNs) {
        return blockedSinceNs != NEVER && nowNs - blockedSinceNs >= timeoutNs;
    }

    /** When to look again; {@link Long#MAX_VALUE} if not blocked. */
    public long nextDeadlineNs() {
        return nextRequestNs;
    }

    /** The owner's loop stood still: deadlines move. */
    public void onStall(long stallNs) {
        if (blockedSinceNs != NEVER) {
            blockedSinceNs += stallNs;
            nextRequestNs += stallNs;
        }
    }
}
