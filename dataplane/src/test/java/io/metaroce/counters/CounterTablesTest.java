// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CounterTablesTest {
    private final List<List<CounterRow>> tables = List.of(
            Arrays.asList((CounterRow[]) LaneCounter.values()),
            Arrays.asList((CounterRow[]) ConnectionCounter.values()),
            Arrays.asList((CounterRow[]) PathCounter.values()));

    @Test
    void everyRowHasAMetricNameInBaseUnitsAndASentence() {
        for (List<CounterRow> table : tables) {
            for (CounterRow row : table) {
                assertThat(row.metricName()).matches("[a-z][a-z0-9_]*").doesNotEndWith("_total");
                assertThat(row.metricName()).doesNotContain("_ns").doesNotContain("_ms");
                assertThat(row.help()).endsWith(".").hasSizeGreaterThan(10);
                assertThat(row.labelName().isEmpty()).isEqualTo(row.labelValue().isEmpty());
                if (row.unit() == CounterUnit.NANOSECONDS) {
                    assertThat(row.metricName()).contains("seconds");
                }
            }
        }
    }

    @Test
    void noTwoRowsOfATableAreTheSameSeries() {
        for (List<CounterRow> table : tables) {
            List<String> series = new ArrayList<>();
            for (CounterRow row : table) {
                series.add(row.metricName() + row.labelName() + row.labelValue());
            }
            assertThat(series).doesNotHaveDuplicates();
        }
    }

    @Test
    void rowsOfOneMetricAgreeOnKindAndLabel() {
        Map<String, CounterRow> first = new HashMap<>();
        for (List<CounterRow> table : tables) {
            for (CounterRow row : table) {
                CounterRow other = first.computeIfAbsent(row.metricName(), name -> row);
                assertThat(row.kind()).isEqualTo(other.kind());
                assertThat(row.labelName()).isEqualTo(other.labelName());
            }
        }
    }

    @Test
    void everyDropReasonIsCountedInExactlyOneTable() {
        List<String> reasons = new ArrayList<>();
        for (List<CounterRow> table : tables) {
            for (CounterRow row : table) {
                if (row.metricName().equals("rx_dropped_packets")) {
                    reasons.add(row.labelValue());
                }
            }
        }

        List<String> expected = new ArrayList<>();
        for (DropReason reason : DropReason.values()) {
            expected.add(reason.label());
        }
        assertThat(reasons).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void countersOfPathsDoNotOverlapEachOtherNorTheConnection() {
        ConnectionCounters counters = ConnectionCounters.inProcess(3);

        for (ConnectionCounter row : ConnectionCounter.values()) {
            counters.connection().set(row.ordinal(), 1_000 + row.ordinal());
        }
        for (int path = 0; path < 3; path++) {
            for (PathCounter row : PathCounter.values()) {
                counters.paths().set(row.of(path), 1_000_000 * (path + 1) + row.ordinal());
            }
        }

        for (ConnectionCounter row : ConnectionCounter.values()) {
            assertThat(counters.get(row)).isEqualTo(1_000 + row.ordinal());
        }
        for (int path = 0; path < 3; path++) {
            for (PathCounter row : PathCounter.values()) {
                assertThat(counters.get(row, path)).isEqualTo(1_000_000L * (path + 1) + row.ordinal());
            }
        }
    }

    @Test
    void blocksStartOnCacheLinesSoThatNeighboursDoNotShareThem() {
        assertThat(Set.of(1, 2, 3, 8, 32, 255))
                .allSatisfy(paths ->
                        assertThat(ConnectionCounters.bytesFor(paths) % 64).isZero());
    }
}
