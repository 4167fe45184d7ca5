// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the server's own command line says about the test, where it says anything.
 *
 * @param test the test, or null
 * @param options the options, of which those given count
 */
record Expectation(@Nullable PerfTest test, TestOptions options) {

    /** What differs between the two sides, in one line; empty when nothing does. */
    String mismatch(RunSpec run) {
        List<String> differences = new ArrayList<>();
        if (test != null && test != run.test()) {
            differences.add(
                    "the test is " + test.word() + " here, " + run.test().word() + " at the client");
        }
        if (options.size != null && !options.allSizes) {
            compare(differences, "-s", options.size, run.sizeBytes());
        }
        if (options.iterations != null) {
            compare(differences, "-n", options.iterations, run.iterations());
        }
        if (options.queuePairs != null) {
            compare(differences, "-q", options.queuePairs, run.queuePairs());
        }
        if (options.depth != null) {
            int depth = RunSpec.depthThatFits(options.depth, run.sizeBytes(), run.queuePairs());
            compare(differences, "-t", depth, run.depth());
        }
        if (options.isUnverified && run.isVerified()) {
            differences.add("--no-verify is given here only");
        }
        return differences.isEmpty() ? "" : "option mismatch: " + String.join("; ", differences);
    }

    private static void compare(List<String> differences, String option, long here, long there) {
        if (here != there) {
            differences.add(option + " is " + here + " at the server, " + there + " at the client");
        }
    }
}
