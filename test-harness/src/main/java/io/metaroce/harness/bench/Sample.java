// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

/**
 * What one run gave; NaN where it does not measure that.
 *
 * @param goodputGBps payload received, in 10^9 bytes a second
 * @param messagesPerSecond completed
 * @param p50us median round trip in microseconds
 * @param p99us its 99th percentile
 */
record Sample(double goodputGBps, double messagesPerSecond, double p50us, double p99us) {
    static Sample bandwidth(double bytesPerSecond, double messageBytes) {
        return new Sample(bytesPerSecond / 1e9, bytesPerSecond / messageBytes, Double.NaN, Double.NaN);
    }

    static Sample latency(double p50us, double p99us) {
        return new Sample(Double.NaN, Double.NaN, p50us, p99us);
    }
}
