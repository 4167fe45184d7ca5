// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What this process is, since when it runs, and how its virtual machine fares. Must be kept alive and closed. */
final class ProcessMeters implements AutoCloseable {
    private final MeterBook book;
    private final JvmGcMetrics collector = new JvmGcMetrics();

    ProcessMeters(PrometheusMeterRegistry registry, MetricsEndpoint.Build build) {
        this.book = new MeterBook(registry, new AtomicLong());
        // Of the client itself: Micrometer cuts the suffix _info off, which is part of the name that dashboards join
        // on.
        Info.builder()
                .name("metaroce_build_info")
                .help("Always 1; what is running stands in the labels.")
                .labelNames("version", "commit", "java", "profile")
                .register(registry.getPrometheusRegistry())
                .setLabelValues(build.version(), build.commit(), build.java(), build.profile());
        book.gauge(
                "start_time_seconds",
                "When the process started, in seconds since 1970.",
                List.of(),
                build::startSeconds);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        collector.bindTo(registry);
    }

    @Override
    public void close() {
        collector.close();
    }

    int size() {
        return book.size();
    }
}
