// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table.
 *
 * @param sizeBytes of a message
 * @param messages on all queue pairs together, checked at the receiver
 * @param elapsedNs from the first post until the last message was known to be checked
 * @param peakBytesPerSecond best rate over a full transmit depth in a row; 0 in a latency test
 * @param latencyNs one way, half of a round trip; null in a bandwidth test
 * @param statistics of both sides over the measured part
 * @param wrongBytes bytes that were not what they had to be, or were written late, over the whole run
 * @param depth messages under way on each queue pair
 */
record PerfResult(
        long sizeBytes,
        long messages,
        long elapsedNs,
        double peakBytesPerSecond,
        @Nullable Histogram latencyNs,
        LinkStatistics statistics,
        long wrongBytes,
        int depth) {
    private static final double NS_PER_SECOND = 1e9;

    double averageBytesPerSecond() {
        return sizeBytes * messagesPerSecond();
    }

    double messagesPerSecond() {
        return elapsedNs <= 0 ? 0 : messages * NS_PER_SECOND / elapsedNs;
    }

    /** Never below the average, which a short run could not otherwise promise. */
    double peakOrAverageBytesPerSecond() {
        return Math.max(peakBytesPerSecond, averageBytesPerSecond());
    }
}
