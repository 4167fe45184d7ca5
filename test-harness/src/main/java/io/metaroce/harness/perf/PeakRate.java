// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

/** The best rate over so many messages in a row that the pipe was full once from end to end. */
final class PeakRate {
    private static final double NS_PER_SECOND = 1e9;

    private final long windowMessages;
    private final long messageBytes;
    private long markNs;
    private long markMessages;
    private double bestBytesPerSecond;

    /**
     * @param windowMessages messages that may be under way in all
     */
    PeakRate(long windowMessages, long messageBytes, long startNs) {
        this.windowMessages = windowMessages;
        this.messageBytes = messageBytes;
        this.markNs = startNs;
    }

    /** So many messages in all are known to be checked at this time. */
    void onProgress(long messages, long nowNs) {
        if (messages - markMessages >= windowMessages && nowNs > markNs) {
            double rate = (double) (messages - markMessages) * messageBytes * NS_PER_SECOND / (nowNs - markNs);
            bestBytesPerSecond = Math.max(bestBytesPerSecond, rate);
            markNs = nowNs;
            markMessages = messages;
        }
    }

    double bytesPerSecond() {
        return bestBytesPerSecond;
    }
}
