// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.metaroce.control.connect.ControlCounter;
import io.metaroce.control.metrics.MetricSources.PortSource;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.CounterKind;
import io.metaroce.counters.CounterRow;
import io.metaroce.counters.LaneCounter;
import io.metaroce.counters.PathCounter;
import io.metaroce.lane.PathTelemetry;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCounter;
import io.metaroce.wrap.FaultCounter;
import io.metaroce.wrap.FaultCounters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Makes metrics of the counter tables. A scrape reads the numbers where they stand; nothing is copied in between, and lanes
 * do not notice. B92: the number of meters depends on the configuration, never on connections. Must be kept alive.
 */
final class DataplaneMeters {
    /** Gauges that say nothing when summed over connections, or that other gauges here say better. */
    private static final EnumSet<ConnectionCounter> NOT_SUMMED = EnumSet.of(ConnectionCounter.PAYLOAD_BYTES);

    private static final EnumSet<LaneCounter> NOT_EXPORTED = EnumSet.of(LaneCounter.LAST_CYCLE_NS);

    private static final EnumSet<PathCounter> PATH_MEANS =
            EnumSet.of(PathCounter.SRTT_NS, PathCounter.RTT_VARIATION_NS, PathCounter.RTT_MIN_NS);

    private final AtomicLong errors = new AtomicLong();
    private final MeterBook book;

    DataplaneMeters(MeterRegistry registry, MetricSources sources) {
        this.book = new MeterBook(registry, errors);
        bindLanes(sources.lanes());
        bindConnections(sources.totals());
        bindPaths(sources.totals());
        sources.ports().forEach(this::bindPort);
        for (ControlCounter row : ControlCounter.values()) {
            book.counter(
                    row.metricName(),
                    row.help(),
                    List.of(),
                    () -> sources.control().get(row));
        }
        book.gauge(
                "control_handshakes",
                "Control channels in the middle of connecting.",
                List.of(),
                () -> sources.control().gauges().handshakes());
        ReloadStatus reload = sources.reload();
        book.gauge(
                "config_reload_success",
                "1 if the last load of the configuration was taken, 0 if it was refused and the old one stays.",
                List.of(),
                () -> reload.isSuccess() ? 1 : 0);
        book.gauge(
                "config_last_reload_success_timestamp_seconds",
                "When the configuration in force was loaded, in seconds since 1970.",
                List.of(),
                reload::successSeconds);
        book.counter("collector_errors", "Numbers that could not be read during a scrape.", List.of(), errors::get);
    }

    /** Rows that speak of the lane itself are told apart by lane; the others are sums over lanes. */
    private void bindLanes(List<CounterBlock> lanes) {
        for (LaneCounter row : LaneCounter.values()) {
            if (NOT_EXPORTED.contains(row)) {
                continue;
            }
            boolean isOfLane = row.metricName().startsWith("lane_") || row.kind() == CounterKind.MAXIMUM;
            if (isOfLane) {
                for (int lane = 0; lane < lanes.size(); lane++) {
                    CounterBlock block = lanes.get(lane);
                    bind(row, List.of(Tag.of("lane", Integer.toString(lane))), () -> block.get(row.ordinal()));
                }
            } else if (row == LaneCounter.MEMORY_REGIONS) {
                // All lanes hold the same registrations.
                bind(row, List.of(), () -> lanes.get(0).get(row.ordinal()));
            } else {
                bind(row, List.of(), () -> sum(lanes, row));
            }
        }
    }

    private static double sum(List<CounterBlock> lanes, LaneCounter row) {
        long sum = 0;
        for (CounterBlock block : lanes) {
            sum += block.get(row.ordinal());
        }
        return sum;
    }

    private void bindConnections(CounterTotals totals) {
        for (ConnectionCounter row : ConnectionCounter.values()) {
            if (!NOT_SUMMED.contains(row)) {
                bind(row, List.of(), () -> totals.sum(row));
            }
        }
    }

    /** By number of the path: a bounded label, which shows that one way through the fabric is worse than the others. */
    private void bindPaths(CounterTotals totals) {
        for (int path = 0; path < totals.pathCount(); path++) {
            int number = path;
            List<Tag> tags = List.of(Tag.of("path", Integer.toString(path)));
            for (PathCounter row : PathCounter.values()) {
                if (row.kind() == CounterKind.COUNTER) {
                    bind(row, tags, () -> totals.sum(row, number));
                } else if (PATH_MEANS.contains(row)) {
                    bind(row, tags, () -> totals.mean(row, number));
                }
            }
        }
        List<String> states = PathTelemetry.stateWords();
        for (int state = 0; state < states.size(); state++) {
            long value = state;
            book.gauge(
                    "paths",
                    "Paths of all connections in a state.",
                    List.of(Tag.of("state", states.get(state))),
                    () -> totals.countPaths(PathCounter.STATE, value));
        }
    }

    private void bindPort(PortSource port) {
        List<Tag> tags = List.of(Tag.of("device", port.device()), Tag.of("port", "1"));
        for (PortCounter row : PortCounter.values()) {
            book.counter("port_" + row.metricName(), row.help(), tags, () -> sum(port.queues(), row));
        }
        for (FaultCounter row : port.faults().isEmpty() ? new FaultCounter[0] : FaultCounter.values()) {
            book.counter("fault_" + row.metricName(), row.help(), tags, () -> sumFaults(port.faults(), row));
        }
        book.gauge(
                "port_state",
                "1 if every queue of the port can carry packets, else 0.",
                tags,
                () -> port.queues().stream().allMatch(PacketPort::linkIsUp) ? 1 : 0);
        long bufferBytes = port.queues().stream()
                .mapToLong(queue -> queue.capabilities().receiveBufferBytes())
                .sum();
        book.gauge(
                "port_receive_buffer_bytes",
                "Receive buffer really obtained from the device.",
                tags,
                () -> bufferBytes);
    }

    private static double sum(List<PacketPort> queues, PortCounter row) {
        long sum = 0;
        for (PacketPort queue : queues) {
            sum += queue.counter(row);
        }
        return sum;
    }

    private static double sumFaults(List<FaultCounters> faults, FaultCounter row) {
        long sum = 0;
        for (FaultCounters each : faults) {
            sum += each.get(row);
        }
        return sum;
    }

    private void bind(CounterRow row, List<Tag> tags, DoubleSupplier source) {
        List<Tag> all = new ArrayList<>(tags);
        if (!row.labelName().isEmpty()) {
            all.add(Tag.of(row.labelName(), row.labelValue()));
        }
        double factor = row.unit().toBaseUnit();
        DoubleSupplier scaled = () -> source.getAsDouble() * factor;
        if (row.kind() == CounterKind.COUNTER) {
            book.counter(row.metricName(), row.help(), all, scaled);
        } else {
            book.gauge(row.metricName(), row.help(), all, scaled);
        }
    }

    /** Meters registered. */
    int size() {
        return book.size();
    }
}
