// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;

/** All numbers of a process and the HTTP server that shows them. Any thread. */
public final class MetricsEndpoint implements AutoCloseable {
    /**
     * What is running.
     *
     * @param startSeconds when the process started, in seconds since 1970
     */
    public record Build(String version, String commit, String java, String profile, double startSeconds) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** Held, with what it reads, for as long as the registry is. */
    private final DataplaneMeters dataplane;

    private final ProcessMeters process;
    private final MetricsServer server;

    private MetricsEndpoint(
            InetAddress bind, int port, MetricSources sources, Build build, Supplier<List<String>> troubles)
            throws IOException {
        this.dataplane = new DataplaneMeters(registry, sources);
        this.server = new MetricsServer(bind, port, registry, troubles);
        this.process = new ProcessMeters(registry, build);
    }

    /**
     * Starts to serve.
     *
     * @param troubles what keeps the node from serving, one line each; empty when it is ready
     * @throws IOException if the address cannot be had
     */
    public static MetricsEndpoint start(
            InetAddress bind, int port, MetricSources sources, Build build, Supplier<List<String>> troubles)
            throws IOException {
        return new MetricsEndpoint(bind, port, sources, build, troubles);
    }

    /** TCP port listened at. */
    public int port() {
        return server.port();
    }

    /** Meters of the dataplane, which depend on the configuration only. */
    int dataplaneMeters() {
        return dataplane.size();
    }

    @Override
    public void close() {
        server.close();
        process.close();
        registry.close();
    }
}
