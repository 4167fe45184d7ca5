// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.List;
import java.util.Map;

/**
 * One cell with one seed.
 *
 * @param measures by name, in a fixed order
 * @param failures what an application would have been told; none in a run that passes
 * @param digest of everything that happened: the same for the same seed on any machine
 * @param hops packets that reached the end of a link
 * @param series points over time, for plots
 */
record CellResult(
        String cell,
        long seed,
        Map<String, Double> measures,
        List<String> failures,
        long digest,
        long hops,
        Series series) {

    /** Points for plots: durations of messages, sorted, and what was sampled of the last link to the receiver. */
    static final class Series {
        private final double[] durationsUs;
        private final double[] timesUs;
        private final double[] queueBytes;
        private final double[] gigabitsPerSecond;

        Series(double[] durationsUs, double[] timesUs, double[] queueBytes, double[] gigabitsPerSecond) {
            this.durationsUs = durationsUs;
            this.timesUs = timesUs;
            this.queueBytes = queueBytes;
            this.gigabitsPerSecond = gigabitsPerSecond;
        }

        double[] durationsUs() {
            return durationsUs;
        }

        double[] timesUs() {
            return timesUs;
        }

        double[] queueBytes() {
            return queueBytes;
        }

        double[] gigabitsPerSecond() {
            return gigabitsPerSecond;
        }
    }
}
