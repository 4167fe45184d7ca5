// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RunSpecTest {
    private static final RunSpec RUN = new RunSpec(PerfTest.WRITE_BW, 65_536, 2, 128, 5_000, true, -1);

    @Property
    void aSpecIsReadAsItWasWritten(
            @ForAll PerfTest test,
            @ForAll @LongRange(max = 1 << 20) long size,
            @ForAll @IntRange(min = 1, max = 64) int queuePairs,
            @ForAll @IntRange(min = 1, max = 10_000) int depth,
            @ForAll @LongRange(max = Long.MAX_VALUE) long iterations,
            @ForAll boolean isVerified,
            @ForAll long seed) {
        int fitting = RunSpec.depthThatFits(depth, size, queuePairs);
        RunSpec spec = new RunSpec(test, size, queuePairs, fitting, iterations, isVerified, seed);

        assertThat(RunSpec.fromJson(spec.toJson(queuePairs - 1))).isEqualTo(spec);
        assertThat(spec.plan(0).seed()).isNotEqualTo(spec.plan(1).seed());
        assertThat(Integer.bitCount(fitting)).isEqualTo(1);
        assertThat((long) fitting * size * queuePairs)
                .isLessThanOrEqualTo(Math.max(RunSpec.BUFFER_BYTES_MAX, 2 * size * queuePairs));
    }

    @Test
    void anotherVersionIsNamedOnBothSides() {
        ObjectNode json = RUN.toJson(0).put("version", 7);

        assertThatThrownBy(() -> RunSpec.fromJson(json))
                .hasMessage("perf version mismatch: this side speaks 1, the other 7");
        assertThatThrownBy(() -> RunSpec.fromJson(JsonNodeFactory.instance.nullNode()))
                .hasMessageContaining("version mismatch");
    }

    @Test
    void whatAPeerSendsIsBoundedBeforeAnythingIsAllocated() {
        refused(RUN.toJson(0).put("size", 1L << 40), "size");
        refused(RUN.toJson(0).put("size", -1), "size");
        refused(RUN.toJson(0).put("queue_pairs", 0), "queue_pairs");
        refused(RUN.toJson(0).put("queue_pairs", 1 << 20), "queue_pairs");
        refused(RUN.toJson(0).put("depth", 1 << 30), "depth");
        refused(RUN.toJson(2), "stream");
        refused(RUN.toJson(0).put("test", "read_bw"), "read_bw");
        refused(RUN.toJson(0).put("size", "64K"), "size");
        refused(RUN.toJson(0).put("size", 1 << 30).put("depth", 2).put("queue_pairs", 8), "16384 MiB");
        refused(RUN.toJson(0).put("size", 1 << 30), "MiB of buffers");
    }

    private static void refused(ObjectNode json, String word) {
        assertThatThrownBy(() -> RunSpec.fromJson(json))
                .as(json.toString())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(word);
    }

    @Test
    void everyOptionThatDiffersIsNamedWithBothValues() {
        TestOptions options = new TestOptions();
        options.size = 1_024L;
        options.queuePairs = 2;
        options.iterations = 10L;
        options.depth = 100;

        assertThat(new Expectation(PerfTest.SEND_BW, options).mismatch(RUN))
                .isEqualTo("option mismatch: the test is send_bw here, write_bw at the client;"
                        + " -s is 1024 at the server, 65536 at the client;"
                        + " -n is 10 at the server, 5000 at the client");
    }

    @Test
    void aServerThatSaysNothingTakesEverything() {
        assertThat(new Expectation(null, new TestOptions()).mismatch(RUN)).isEmpty();
    }

    @Test
    void optionsThatContradictEachOtherAreRefused() {
        TestOptions all = new TestOptions();
        all.allSizes = true;
        assertThat(Plan.of(PerfTest.WRITE_BW, all).sizes())
                .startsWith(2L, 4L)
                .endsWith(8L << 20)
                .hasSize(23);
        all.size = 4L;
        assertThatThrownBy(() -> Plan.of(PerfTest.WRITE_BW, all)).hasMessageContaining("-s and -a");

        TestOptions both = new TestOptions();
        both.iterations = 1L;
        both.duration = Duration.ofSeconds(1);
        assertThatThrownBy(() -> Plan.of(PerfTest.WRITE_BW, both)).hasMessageContaining("-n and -D");

        TestOptions queuePairs = new TestOptions();
        queuePairs.queuePairs = 2;
        assertThat(Plan.of(PerfTest.SEND_BW, queuePairs).queuePairs()).isEqualTo(2);
        assertThatThrownBy(() -> Plan.of(PerfTest.SEND_LAT, queuePairs)).hasMessageContaining("latency");
    }
}
