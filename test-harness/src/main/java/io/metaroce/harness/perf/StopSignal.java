// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and TERM into a wish to stop: the command sees it, prints its final table, and the process ends with the
 * command's own exit code.
 */
final class StopSignal implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 5;
    private static final int KILLED = 130;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onShutdown, "perf-stop");
    private volatile boolean isWanted;
    private volatile int exitCode = KILLED;

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void onShutdown() {
        isWanted = true;
        try {
            if (finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                // The command has said all it has to say; a hook cannot change the exit code in any gentler way.
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether somebody wants the command to come to its end. */
    boolean isWanted() {
        return isWanted;
    }

    /** How the process ends if it was told to stop. */
    void exitCode(int code) {
        exitCode = code;
    }

    @Override
    public void close() {
        finished.countDown();
        if (!isWanted) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending at this very moment; the hook finds us finished.
            }
        }
    }
}
