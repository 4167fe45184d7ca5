// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * How the polling threads of a run wait. Spinning helps only where every busy thread has a processor of its own: on a small
 * machine a spinning application takes the time from the very lane it waits for.
 */
final class Idling {
    /** Lane and application of both sides on one host, which is how perf is tried first. */
    private static final int PROCESSORS_TO_SPIN = 4;

    private static final int SPINS = 10_000;
    private static final int YIELDS = 20;
    private static final long PARK_NS_MIN = 1_000;
    private static final long PARK_NS_MAX = 50_000;

    private Idling() {}

    static IdleStrategy strategy() {
        int spins = Runtime.getRuntime().availableProcessors() >= PROCESSORS_TO_SPIN ? SPINS : 0;
        return new BackoffIdleStrategy(spins, YIELDS, PARK_NS_MIN, PARK_NS_MAX);
    }
}
