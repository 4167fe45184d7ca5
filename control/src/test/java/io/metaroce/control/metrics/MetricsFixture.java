// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.metaroce.control.connect.ControlCounters;
import io.metaroce.control.metrics.MetricSources.PortSource;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.port.PacketClassifier;
import io.metaroce.wrap.FaultControl;
import io.metaroce.wrap.FaultPlan;
import io.metaroce.wrap.FaultyPort;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Two lanes, two ports, one of them with faults, two paths. */
final class MetricsFixture {
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final CounterBlock lane0 = lane();
    final CounterBlock lane1 = lane();
    final CounterTotals totals = new CounterTotals(2);
    final FakePort port0 = new FakePort();
    final FakePort port1 = new FakePort();
    final FaultyPort faulty =
            new FaultyPort(port1, new FaultControl(FaultPlan.NONE), new NoClassifier(), System::nanoTime);
    final ReloadStatus reload = new ReloadStatus(1.7e9);
    final DataplaneMeters meters = new DataplaneMeters(
            registry,
            new MetricSources(
                    List.of(lane0, lane1),
                    totals,
                    List.of(
                            new PortSource("rail0", List.of(port0), List.of()),
                            new PortSource("rail1", List.of(faulty), List.of(faulty.faults()))),
                    new ControlCounters(),
                    reload));
    final ProcessMeters process =
            new ProcessMeters(registry, new MetricsEndpoint.Build("1.0", "abc1234", "17.0.1", "MOP/1", 1.7e9));

    private static CounterBlock lane() {
        return new CounterBlock(
                new UnsafeBuffer(new byte[CounterBlock.bytesFor(LaneCounter.count()) + 8]), 0, LaneCounter.count());
    }

    String scrape(Exposition exposition) {
        return registry.scrape(exposition.contentType());
    }

    /** The value of one sample, by its text up to the blank. */
    double sample(String nameAndLabels) {
        return scrape(Exposition.TEXT)
                .lines()
                .filter(line -> line.startsWith(nameAndLabels + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no sample " + nameAndLabels));
    }

    private static final class NoClassifier implements PacketClassifier {
        @Override
        public int pathId(UnsafeBuffer packet) {
            return NO_PATH;
        }

        @Override
        public boolean isData(UnsafeBuffer packet) {
            return false;
        }
    }
}
