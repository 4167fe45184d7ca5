// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One row of the comparison: something that can be run again and again. */
interface Peer {
    /** Bytes of the messages of bandwidth rows. */
    int LARGE = 1 << 20;
    /** Bytes of the messages of rate and latency rows. */
    int SMALL = 64;

    /** Name of the row, as ratios use it. */
    String row();

    /** What carries it: udp, tcp. */
    String port();

    int messageBytes();

    default double lossPercent() {
        return 0;
    }

    /** Why it cannot be run here, with the cure; null if it can. */
    @Nullable
    String missing();

    /** Runs once for about so many seconds. */
    Sample run(int seconds) throws IOException, InterruptedException;
}
