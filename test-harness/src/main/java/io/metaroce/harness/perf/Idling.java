// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.lane.SharedProcessorIdle;
import org.agrona.concurrent.IdleStrategy;

/**
 * How the polling threads of a run wait: as the lanes do. On a small machine a spinning application takes the time from the
 * very lane it waits for.
 */
final class Idling {
    private static final long PARK_NS_MAX = 50_000;

    private Idling() {}

    static IdleStrategy strategy() {
        return new SharedProcessorIdle(System::nanoTime, Runtime.getRuntime().availableProcessors(), PARK_NS_MAX);
    }
}
