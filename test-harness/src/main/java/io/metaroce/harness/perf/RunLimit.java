// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

/**
 * When a run has posted enough: after so many messages, or after a time.
 *
 * @param iterations messages on each stream; {@link Long#MAX_VALUE} when time decides
 * @param durationNs time from the first message; {@link Long#MAX_VALUE} when the number decides
 */
record RunLimit(long iterations, long durationNs) {
    static RunLimit ofIterations(long iterations) {
        return new RunLimit(iterations, Long.MAX_VALUE);
    }

    static RunLimit ofDuration(long durationNs) {
        return new RunLimit(Long.MAX_VALUE, durationNs);
    }

    boolean isTimed() {
        return durationNs != Long.MAX_VALUE;
    }
}
