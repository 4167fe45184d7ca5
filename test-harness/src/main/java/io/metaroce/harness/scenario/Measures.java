// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.Arrays;

/** Arithmetic on what was sampled. */
final class Measures {
    private Measures() {}

    /** Jain's index: 1 if all have the same, 1/n if one has everything. */
    static double jain(double[] shares) {
        double sum = 0;
        double squares = 0;
        for (double share : shares) {
            sum += share;
            squares += share * share;
        }
        return squares == 0 ? 1 : sum * sum / (shares.length * squares);
    }

    static double percentile(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
    }

    static double mean(long[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    /** The first sample in which anything had arrived; the last one if nothing ever did. */
    static int firstArrival(Sampler sampler) {
        for (int i = 0; i < sampler.arrived.size(); i++) {
            if (Arrays.stream(sampler.arrived.get(i)).anyMatch(bytes -> bytes > 0)) {
                return i;
            }
        }
        return Math.max(0, sampler.arrived.size() - 1);
    }

    /** The last sample before any flow has all its bytes: until then all want to send. */
    static int lastBusy(Sampler sampler, long bytesOfFlow) {
        int last = sampler.arrived.size() - 1;
        for (int i = 0; i < sampler.arrived.size(); i++) {
            if (Arrays.stream(sampler.arrived.get(i)).anyMatch(bytes -> bytes >= bytesOfFlow)) {
                return Math.max(0, i - 1);
            }
        }
        return last;
    }

    /** Fairness of what arrived between two samples. */
    static double jain(Sampler sampler, int from, int to) {
        if (from >= to) {
            return 1;
        }
        long[] before = sampler.arrived.get(from);
        long[] after = sampler.arrived.get(to);
        double[] shares = new double[after.length];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = after[i] - before[i];
        }
        return jain(shares);
    }

    static double queueMost(Sampler sampler, int from, int to) {
        long most = 0;
        for (int i = from; i <= to; i++) {
            most = Math.max(most, sampler.queuedBytes.getLong(i));
        }
        return most;
    }

    /** Share of the watched link that was used between two samples. */
    static double used(Sampler sampler, int from, int to, double bitsPerSecond) {
        if (from >= to) {
            return 0;
        }
        double bytes = sampler.sentBytes.getLong(to) - sampler.sentBytes.getLong(from);
        double seconds = (sampler.timesPs.getLong(to) - sampler.timesPs.getLong(from)) / 1e12;
        return bytes * 8 / seconds / bitsPerSecond;
    }

    /** The sample from which on every sender's allowed rate stays within the tolerance of its share; the number of samples if none. */
    static int settled(Sampler sampler, int to, double shareBits, double tolerance) {
        int settled = to + 1;
        for (int i = to; i >= 0; i--) {
            for (double allowed : sampler.allowed.get(i)) {
                if (Math.abs(allowed - shareBits) > tolerance * shareBits) {
                    return settled;
                }
            }
            settled = i;
        }
        return settled;
    }
}
