// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

/** How the last reload of the configuration went; written by the reload, read by a scrape. */
public final class ReloadStatus {
    private volatile boolean isSuccess = true;
    private volatile double successSeconds;

    /**
     * @param startSeconds when the configuration was loaded first, in seconds since 1970
     */
    public ReloadStatus(double startSeconds) {
        this.successSeconds = startSeconds;
    }

    public void succeeded(double atSeconds) {
        successSeconds = atSeconds;
        isSuccess = true;
    }

    /** The old configuration stays in force. */
    public void failed() {
        isSuccess = false;
    }

    public boolean isSuccess() {
        return isSuccess;
    }

    /** Seconds since 1970. */
    public double successSeconds() {
        return successSeconds;
    }
}
