// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.harness.app.TransferPlan.Operation;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What can be measured, with perftest's names, titles and defaults. */
enum PerfTest {
    WRITE_BW("write_bw", "RDMA_Write BW Test", Operation.WRITE, false, 65_536, 5_000),
    WRITE_LAT("write_lat", "RDMA_Write Latency Test", Operation.WRITE, true, 2, 1_000),
    SEND_BW("send_bw", "Send BW Test", Operation.SEND, false, 65_536, 1_000),
    SEND_LAT("send_lat", "Send Latency Test", Operation.SEND, true, 2, 1_000);

    private final String word;
    private final String title;
    private final Operation operation;
    private final boolean isLatency;
    private final long sizeDefault;
    private final long iterationsDefault;

    PerfTest(
            String word,
            String title,
            Operation operation,
            boolean isLatency,
            long sizeDefault,
            long iterationsDefault) {
        this.word = word;
        this.title = title;
        this.operation = operation;
        this.isLatency = isLatency;
        this.sizeDefault = sizeDefault;
        this.iterationsDefault = iterationsDefault;
    }

    /**
     * The test of a word.
     *
     * @throws IllegalArgumentException naming all words
     */
    static PerfTest of(String word) {
        for (PerfTest test : values()) {
            if (test.word.equals(word)) {
                return test;
            }
        }
        throw new IllegalArgumentException("there is no test '" + word + "'; there are " + words());
    }

    static String words() {
        return Arrays.stream(values()).map(PerfTest::word).collect(Collectors.joining(", "));
    }

    String word() {
        return word;
    }

    String title() {
        return title;
    }

    Operation operation() {
        return operation;
    }

    boolean isLatency() {
        return isLatency;
    }

    /** In bytes. */
    long sizeDefault() {
        return sizeDefault;
    }

    long iterationsDefault() {
        return iterationsDefault;
    }
}
