// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.util.ArrayList;
import java.util.List;

/**
 * The rows that a client is to fill.
 *
 * @param test what is measured
 * @param sizes of a message in bytes, one for each row
 * @param queuePairs streams of each run
 * @param depth messages under way on each, as asked; lowered for sizes whose buffers would not fit
 * @param limit of each run
 * @param isVerified whether every byte is checked
 */
record Plan(PerfTest test, List<Long> sizes, int queuePairs, int depth, RunLimit limit, boolean isVerified) {
    static final int DEPTH_DEFAULT = 128;
    private static final int SMALLEST_LOG = 1;
    private static final int LARGEST_LOG = 23;

    Plan {
        sizes = List.copyOf(sizes);
    }

    /**
     * The plan of a command line.
     *
     * @throws IllegalArgumentException with one line if the options contradict each other or leave their ranges
     */
    static Plan of(PerfTest test, TestOptions options) {
        require(options.size == null || !options.allSizes, "-s and -a exclude each other");
        require(options.iterations == null || options.duration == null, "-n and -D exclude each other");
        require(options.iterations == null || options.iterations > 0, "-n must be at least 1");
        require(options.duration == null || !options.duration.isZero(), "-D must be more than nothing");
        int queuePairs = options.queuePairs == null ? 1 : options.queuePairs;
        require(queuePairs >= 1 && queuePairs <= RunSpec.QUEUE_PAIRS_MAX, "-q must be 1 to " + RunSpec.QUEUE_PAIRS_MAX);
        require(queuePairs == 1 || !test.isLatency(), "a latency test has one queue pair; leave -q out");
        int depth = options.depth == null ? DEPTH_DEFAULT : options.depth;
        require(depth >= 1, "-t must be at least 1");
        require(options.depth == null || !test.isLatency(), "a latency test has one message under way; leave -t out");
        RunLimit limit = options.duration != null
                ? RunLimit.ofDuration(options.duration.toNanos())
                : RunLimit.ofIterations(options.iterations == null ? test.iterationsDefault() : options.iterations);
        Plan plan = new Plan(test, sizes(test, options), queuePairs, depth, limit, !options.isUnverified);
        plan.sizes.forEach(size -> plan.spec(size, 0).requireThatItFits());
        return plan;
    }

    private static List<Long> sizes(PerfTest test, TestOptions options) {
        if (!options.allSizes) {
            return List.of(options.size == null ? test.sizeDefault() : options.size);
        }
        List<Long> sizes = new ArrayList<>();
        for (int log = SMALLEST_LOG; log <= LARGEST_LOG; log++) {
            sizes.add(1L << log);
        }
        return sizes;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** One row's agreement with the server. */
    RunSpec spec(long sizeBytes, long seed) {
        return new RunSpec(
                test,
                sizeBytes,
                queuePairs,
                RunSpec.depthThatFits(depth, sizeBytes, queuePairs),
                limit.isTimed() ? 0 : limit.iterations(),
                isVerified,
                seed);
    }
}
