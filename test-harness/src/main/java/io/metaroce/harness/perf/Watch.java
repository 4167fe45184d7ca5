// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.queue.CompletionStatus;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks after a run from the outside: the peer is there, requests succeed, and something moves. */
final class Watch {
    /** No transport of ours is silent for so long without giving up; a defect might be. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(30);
    /** A failed request is often the first sign of a lost connection, whose reason says more. */
    private static final long REASON_WAIT_MS = 500;

    private final PeerConnection peer;
    private final StopSignal stop;
    private long seen = -1;
    private long seenNs;

    Watch(PeerConnection peer, StopSignal stop) {
        this.peer = peer;
        this.stop = stop;
    }

    boolean isStopWanted() {
        return stop.isWanted();
    }

    /**
     * Judges one turn of a run.
     *
     * @param progress anything that grows while the run is well
     * @param failure the first completion status of a request that was no success
     * @throws CommandFailure if the run cannot go on, with the reason in one line
     */
    void onTurn(long progress, CompletionStatus failure, long nowNs) {
        if (failure != CompletionStatus.SUCCESS) {
            String reason = closeReason(REASON_WAIT_MS);
            throw new CommandFailure(
                    reason.isEmpty()
                            ? "a request ended as " + failure.name() + "; the connection stands"
                            : "peer gone: " + reason);
        }
        if (peer.closed().isDone()) {
            throw new CommandFailure("peer gone: " + closeReason(0));
        }
        if (progress != seen) {
            seen = progress;
            seenNs = nowNs;
        } else if (nowNs - seenNs > SILENCE_NS) {
            throw new CommandFailure("nothing has moved for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NS)
                    + " s although the connection stands: a defect");
        }
    }

    private String closeReason(long waitMs) {
        try {
            return peer.closed().get(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        } catch (TimeoutException e) {
            return "";
        } catch (ExecutionException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
