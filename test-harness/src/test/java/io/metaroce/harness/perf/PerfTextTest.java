// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class PerfTextTest {

    @Test
    void sizesAreReadAsPeopleWriteThem() {
        assertThat(SizeText.parse("0")).isZero();
        assertThat(SizeText.parse("64")).isEqualTo(64);
        assertThat(SizeText.parse("64K")).isEqualTo(65_536);
        assertThat(SizeText.parse("8m")).isEqualTo(8 << 20);
        assertThat(SizeText.parse("8MiB")).isEqualTo(8 << 20);
        assertThat(SizeText.parse("1G")).isEqualTo(1 << 30);
        for (String text : new String[] {"", "-1", "1T", "K", "1.5M", "2G", "99999999999999", "64 K"}) {
            assertThatThrownBy(() -> SizeText.parse(text))
                    .as(text)
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("'" + text + "'");
        }
    }

    @Test
    void timesAreReadAsPeopleWriteThem() {
        DurationText text = new DurationText();
        assertThat(text.convert("10")).isEqualTo(Duration.ofSeconds(10));
        assertThat(text.convert("10s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(text.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(text.convert("2min")).isEqualTo(Duration.ofMinutes(2));
        assertThatThrownBy(() -> text.convert("soon")).isInstanceOf(TypeConversionException.class);
    }

    private static PerfResult bandwidth(long size, long messages, long elapsedNs) {
        return new PerfResult(size, messages, elapsedNs, 0, null, new LinkStatistics(11, 2, 3, 10, 99), 0, 128);
    }

    @Test
    void guardsB106AThousandHoursAtEightHundredGigabitsPrintPositiveTotals() {
        long elapsedNs = TimeUnit.HOURS.toNanos(1_000);
        long messages = 100_000_000_000L * 3_600_000L / (1 << 20);
        PerfTable table = new PerfTable(false, true, false);

        String row = table.row(bandwidth(1 << 20, messages, elapsedNs));

        assertThat(row).doesNotContain("-").contains(Long.toString(messages)).contains("800.00");
    }

    @Test
    void aRowStandsUnderItsHeaderAndShowsLossesOnlyWhenThereAreFaults() {
        PerfTable plain = new PerfTable(false, false, false);
        PerfTable lossy = new PerfTable(false, false, true);
        PerfResult result = bandwidth(1 << 20, 1_000, 1_000_000_000L);

        assertThat(plain.header()).contains("BW average[MiB/sec]").doesNotContain("#lost");
        assertThat(fields(plain.row(result)))
                .containsExactly("1048576", "1000", "1000.00", "1000.00", "0.001000", "11", "2", "3", "0");
        assertThat(fields(lossy.row(result)))
                .containsExactly("1048576", "1000", "1000.00", "1000.00", "0.001000", "11", "2", "3", "10", "0");
        assertThat(lossy.header().indexOf("#wrong")).isEqualTo(lossy.row(result).length() - 1);
    }

    private static List<String> fields(String row) {
        return List.of(row.strip().split(" +", -1));
    }

    @Test
    void aLatencyRowHasPerftestsColumnsInMicroseconds() {
        Histogram latency = new Histogram(3);
        for (int us = 1; us <= 1_000; us++) {
            latency.recordValue(us * 1_000L);
        }
        PerfResult result = new PerfResult(2, 1_000, 1, 0, latency, LinkStatistics.NONE, 5, 1);

        List<String> row = fields(new PerfTable(true, false, false).row(result));

        assertThat(row).hasSize(13);
        assertThat(row.get(2)).isEqualTo("1.00");
        assertThat(Double.parseDouble(row.get(4))).isBetween(499.0, 501.0);
        assertThat(Double.parseDouble(row.get(7))).isBetween(989.0, 991.0);
        assertThat(row.get(12)).isEqualTo("5");
    }

    @Test
    void jsonHasPerftestsKeysAndOurs() {
        JsonNode document = PerfJson.document(
                JsonNodeFactory.instance.objectNode().put("test", "write_bw"),
                new PerfTable(false, false, true),
                List.of(bandwidth(1 << 20, 1_000, 1_000_000_000L)));

        assertThat(document.path("schema_version").asInt()).isEqualTo(1);
        JsonNode row = document.path("results").path(0);
        assertThat(row.path("MsgSize").asLong()).isEqualTo(1 << 20);
        assertThat(row.path("n_iterations").asLong()).isEqualTo(1_000);
        assertThat(row.path("BW_average").asDouble()).isEqualTo(1_000);
        assertThat(row.path("BW_peak").asDouble()).isEqualTo(1_000);
        assertThat(row.path("units").asText()).isEqualTo("MiB/sec");
        assertThat(row.path("Retransmissions").asLong()).isEqualTo(11);
        assertThat(row.path("Timeouts").asLong()).isEqualTo(2);
        assertThat(row.path("Duplicates").asLong()).isEqualTo(3);
        assertThat(row.path("LostByFault").asLong()).isEqualTo(10);
        assertThat(row.path("Wrong").isIntegralNumber()).isTrue();
        assertThat(document.toString()).doesNotContain("\n");
    }

    @Test
    void thePeakIsTheBestFullWindowAndNeverBelowTheAverage() {
        PeakRate peak = new PeakRate(10, 100, 0);
        peak.onProgress(5, 1_000_000_000L);
        assertThat(peak.bytesPerSecond()).isZero();
        peak.onProgress(10, 2_000_000_000L);
        assertThat(peak.bytesPerSecond()).isEqualTo(500);
        peak.onProgress(30, 3_000_000_000L);
        peak.onProgress(40, 9_000_000_000L);
        assertThat(peak.bytesPerSecond()).isEqualTo(2_000);

        assertThat(bandwidth(100, 5, 1_000_000_000L).peakOrAverageBytesPerSecond())
                .isEqualTo(500);
        assertThat(bandwidth(0, 5, 0).averageBytesPerSecond()).isZero();
    }
}
