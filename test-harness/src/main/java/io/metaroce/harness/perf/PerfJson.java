// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The results for scripts: one object on one line, with perftest's keys where it has them. */
final class PerfJson {
    static final int SCHEMA_VERSION = 1;
    private static final double NS_PER_US = 1e3;
    private static final double MEGA = 1e6;
    private static final double THOUSAND = 1e3;

    private PerfJson() {}

    static ObjectNode document(ObjectNode testInfo, PerfTable table, List<PerfResult> results) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("schema_version", SCHEMA_VERSION);
        document.set("test_info", testInfo);
        ArrayNode rows = document.putArray("results");
        for (PerfResult result : results) {
            rows.add(row(table, result));
        }
        return document;
    }

    private static ObjectNode row(PerfTable table, PerfResult result) {
        ObjectNode row = JsonNodeFactory.instance
                .objectNode()
                .put("MsgSize", result.sizeBytes())
                .put("n_iterations", result.messages());
        Histogram latency = result.latencyNs();
        if (latency == null) {
            row.put("BW_peak", rounded(table.inUnit(result.peakOrAverageBytesPerSecond())))
                    .put("BW_average", rounded(table.inUnit(result.averageBytesPerSecond())))
                    .put("MsgRate", result.messagesPerSecond() / MEGA)
                    .put("units", table.unit());
        } else {
            row.put("t_min", latency.getMinValue() / NS_PER_US)
                    .put("t_max", latency.getMaxValue() / NS_PER_US)
                    .put("t_typical", latency.getValueAtPercentile(50) / NS_PER_US)
                    .put("t_avg", rounded(latency.getMean() / NS_PER_US))
                    .put("t_stdev", rounded(latency.getStdDeviation() / NS_PER_US))
                    .put("percentile_99", latency.getValueAtPercentile(99) / NS_PER_US)
                    .put("percentile_99_9", latency.getValueAtPercentile(99.9) / NS_PER_US)
                    .put("units", "usec");
        }
        LinkStatistics statistics = result.statistics();
        return row.put("Retransmissions", statistics.retransmissions())
                .put("Timeouts", statistics.timeouts())
                .put("Duplicates", statistics.duplicates())
                .put("LostByFault", statistics.lostByFault())
                .put("Wrong", result.wrongBytes())
                .put("tx_depth", result.depth())
                .put("elapsed_seconds", result.elapsedNs() / 1e9);
    }

    private static double rounded(double value) {
        return Math.round(value * THOUSAND) / THOUSAND;
    }
}
