// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/** The states of verbs ({@code ibv_qp_state}) that a stream can be in. */
public enum QueuePairState {
    /** Closed: nothing can be posted. */
    RESET(false, false),
    /** Created: receives can be posted. */
    INIT(true, false),
    /** The peer's requests are served; ours wait for the connection. */
    READY_TO_RECEIVE(true, false),
    READY_TO_SEND(true, true),
    /** The stream failed: what was posted, and is posted from now on, completes as flushed. */
    ERROR(true, true);

    private final boolean receivesCanBePosted;
    private final boolean sendsCanBePosted;

    QueuePairState(boolean receivesCanBePosted, boolean sendsCanBePosted) {
        this.receivesCanBePosted = receivesCanBePosted;
        this.sendsCanBePosted = sendsCanBePosted;
    }

    public boolean receivesCanBePosted() {
        return receivesCanBePosted;
    }

    public boolean sendsCanBePosted() {
        return sendsCanBePosted;
    }

    /** Whether a queue pair may go from here to there: forward one step at a time, to ERROR or RESET always. */
    public boolean canBecome(QueuePairState next) {
        return next == RESET || (next == ERROR && this != RESET) || next.ordinal() == ordinal() + 1;
    }
}
