// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options about the test. The client decides; what a server states as well must be the same. */
final class TestOptions {
    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            converter = SizeText.class,
            description = "Bytes of a message: 64, 64K, 8M (default 65536, latency 2)")
    @Nullable
    Long size;

    @Option(
            names = {"-a", "--all"},
            description = "All sizes from 2 bytes to 8M")
    boolean allSizes;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Messages on each queue pair (default 1000, write_bw 5000)")
    @Nullable
    Long iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "Run for a time instead: 10, 10s, 2min")
    @Nullable
    Duration duration;

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "N",
            description = "Queue pairs, each a stream of one connection (default 1)")
    @Nullable
    Integer queuePairs;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            description = "Messages under way on each queue pair, rounded up to a power of two (default 128)")
    @Nullable
    Integer depth;

    @Option(
            names = "--no-verify",
            description = "Do not check the payload: count what was acknowledged, not what was right")
    boolean isUnverified;
}
