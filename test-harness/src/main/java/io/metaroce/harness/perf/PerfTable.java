// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/** perftest's tables, with columns for what the transport had to do and for bytes that were wrong. */
final class PerfTable {
    static final String RULE =
            "---------------------------------------------------------------------------------------";

    private static final double MEBI = 1 << 20;
    private static final double GIGABIT_BYTES = 1e9 / 8;
    private static final double MEGA = 1e6;
    private static final double NS_PER_US = 1e3;
    private static final double MEDIAN = 50;

    private final boolean isLatency;
    private final boolean isInGigabits;
    private final boolean showsLost;

    /**
     * @param showsLost whether faults are on somewhere, so that there is something to be compared with
     */
    PerfTable(boolean isLatency, boolean isInGigabits, boolean showsLost) {
        this.isLatency = isLatency;
        this.isInGigabits = isInGigabits;
        this.showsLost = showsLost;
    }

    String header() {
        String measured = isLatency
                ? String.format(
                        Locale.ROOT,
                        "%-10s %-14s %-12s %-12s %-15s %-12s %-14s %-12s %-12s",
                        " #bytes",
                        "#iterations",
                        "t_min[usec]",
                        "t_max[usec]",
                        "t_typical[usec]",
                        "t_avg[usec]",
                        "t_stdev[usec]",
                        "99%[usec]",
                        "99.9%[usec]")
                : String.format(
                        Locale.ROOT,
                        "%-10s %-14s %-18s %-21s %-14s",
                        " #bytes",
                        "#iterations",
                        "BW peak[" + unit() + "]",
                        "BW average[" + unit() + "]",
                        "MsgRate[Mpps]");
        return measured
                + String.format(
                        Locale.ROOT,
                        " %-9s %-9s %-9s %s%s",
                        "#retrans",
                        "#timeouts",
                        "#dup",
                        showsLost ? String.format(Locale.ROOT, "%-9s ", "#lost") : "",
                        "#wrong");
    }

    String row(PerfResult result) {
        LinkStatistics statistics = result.statistics();
        return (measured(result)
                        + String.format(
                                Locale.ROOT,
                                " %-9d %-9d %-9d %s%d",
                                statistics.retransmissions(),
                                statistics.timeouts(),
                                statistics.duplicates(),
                                showsLost ? String.format(Locale.ROOT, "%-9d ", statistics.lostByFault()) : "",
                                result.wrongBytes()))
                .stripTrailing();
    }

    private String measured(PerfResult result) {
        Histogram latency = result.latencyNs();
        if (latency == null) {
            return String.format(
                    Locale.ROOT,
                    " %-9d %-14d %-18.2f %-21.2f %-14.6f",
                    result.sizeBytes(),
                    result.messages(),
                    inUnit(result.peakOrAverageBytesPerSecond()),
                    inUnit(result.averageBytesPerSecond()),
                    result.messagesPerSecond() / MEGA);
        }
        return String.format(
                Locale.ROOT,
                " %-9d %-14d %-12.2f %-12.2f %-15.2f %-12.2f %-14.2f %-12.2f %-12.2f",
                result.sizeBytes(),
                result.messages(),
                latency.getMinValue() / NS_PER_US,
                latency.getMaxValue() / NS_PER_US,
                latency.getValueAtPercentile(MEDIAN) / NS_PER_US,
                latency.getMean() / NS_PER_US,
                latency.getStdDeviation() / NS_PER_US,
                latency.getValueAtPercentile(99) / NS_PER_US,
                latency.getValueAtPercentile(99.9) / NS_PER_US);
    }

    /** Of bandwidths, in the header and in JSON. */
    String unit() {
        return isInGigabits ? "Gb/sec" : "MiB/sec";
    }

    double inUnit(double bytesPerSecond) {
        return bytesPerSecond / (isInGigabits ? GIGABIT_BYTES : MEBI);
    }

    /** How far a run has come; for a live line. */
    String progress(double seconds, double bytesPerSecond, long wrongBytes) {
        return String.format(
                Locale.ROOT, " %6.1f s   %10.2f %s   #wrong %d", seconds, inUnit(bytesPerSecond), unit(), wrongBytes);
    }
}
