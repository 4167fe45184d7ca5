// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the client itself saw of one measured stretch of a run.
 *
 * @param messages checked at the receiver within it
 * @param elapsedNs its length
 * @param peakBytesPerSecond see {@link PeakRate}; 0 in a latency test
 * @param latencyNs half round trips; null in a bandwidth test
 */
record Measurement(
        long messages,
        long elapsedNs,
        double peakBytesPerSecond,
        @Nullable Histogram latencyNs) {

    /** Hears how a stretch goes on. */
    interface Progress {
        /** Shows nothing. */
        Progress NONE = (messages, wrongBytes, nowNs) -> {};

        void onProgress(long messages, long wrongBytes, long nowNs);
    }

    /** The client's half of a run over all its streams. */
    interface Run extends AutoCloseable {
        /** Drives messages until the limit is reached or a stop is wanted, and all of them are checked. */
        Measurement drive(RunLimit limit, Watch watch, Progress progress, LongSupplier clock);

        /** Bytes that either side found wrong so far. */
        long wrongBytes();

        @Override
        void close();
    }
}
