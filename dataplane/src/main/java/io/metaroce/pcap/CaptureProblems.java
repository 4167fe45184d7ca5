// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import org.jspecify.annotations.Nullable;

/** Counts of what was wrong, and the one sentence that says why reading ended early. */
@SuppressWarnings("EnumOrdinal") // indexes an array that lives as long as the process
final class CaptureProblems {
    private final long[] counts = new long[CaptureProblem.values().length];
    private @Nullable String ended;
    private boolean isNoCapture;

    void count(CaptureProblem problem) {
        counts[problem.ordinal()]++;
    }

    long counted(CaptureProblem problem) {
        return counts[problem.ordinal()];
    }

    /** Counts a problem nothing can be read beyond; only the first one ends anything. */
    void end(CaptureProblem problem, String detail) {
        count(problem);
        if (ended == null) {
            isNoCapture = problem.effect() == CaptureProblem.Effect.NO_CAPTURE;
            ended = problem.description() + " (" + detail + ")";
        }
    }

    boolean hasEnded() {
        return ended != null;
    }

    boolean isNoCapture() {
        return isNoCapture;
    }

    @Nullable
    String sentence() {
        return ended;
    }
}
