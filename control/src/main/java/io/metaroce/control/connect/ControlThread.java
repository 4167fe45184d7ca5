// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The way into the control thread for every other thread. */
interface ControlThread {
    /** Longest wait for an answer of the control thread itself; it never blocks for so long unless it is broken. */
    long ANSWER_TIMEOUT_SECONDS = 30;

    /** A piece of work on the control thread. */
    interface Task {
        void run(long nowNs);
    }

    /** Work with a result. */
    interface Call<T> {
        T run(long nowNs) throws ConnectFailure;
    }

    /** Queues work; false when the thread has ended, and then the work is never done. */
    boolean execute(Task task);

    /** Runs work on the control thread and waits for its result. */
    default <T> T call(Call<T> call) throws ConnectFailure {
        CompletableFuture<T> result = new CompletableFuture<>();
        boolean queued = execute(nowNs -> {
            try {
                result.complete(call.run(nowNs));
            } catch (ConnectFailure | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        if (!queued) {
            throw new ConnectFailure("the node is closed");
        }
        return await(result, ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS, "the control thread does not answer");
    }

    /** Waits for a result; every way of not getting one is a failure with one line. */
    static <T> T await(CompletableFuture<T> result, long timeout, TimeUnit unit, String late) throws ConnectFailure {
        try {
            return result.get(timeout, unit);
        } catch (TimeoutException e) {
            throw new ConnectFailure(late);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof RuntimeException unexpected) {
                throw unexpected;
            }
            throw new ConnectFailure(cause == null ? late : String.valueOf(cause.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectFailure("interrupted");
        }
    }
}
