// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.cli.VersionInfo;
import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.config.DaemonConfig.MetricsConfig;
import io.metaroce.control.config.DaemonConfig.PortConfig;
import io.metaroce.control.metrics.MetricSources;
import io.metaroce.control.metrics.MetricSources.PortSource;
import io.metaroce.control.metrics.MetricsEndpoint;
import io.metaroce.control.metrics.ReloadStatus;
import io.metaroce.counters.CounterBlock;
import io.metaroce.port.PacketPort;
import io.metaroce.wrap.FaultCounters;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A node and its HTTP endpoint; what {@code metaroce daemon} runs, and what another program may. Safe for any thread. */
public final class Daemon implements AutoCloseable {
    private static final double MILLISECONDS = 1000.0;

    private final Node node;
    private final ReloadStatus reload;
    private final @Nullable MetricsEndpoint endpoint;
    private volatile long stallLimitNs;

    private Daemon(Node node, MetricsConfig config) throws StartFailure {
        this.node = node;
        this.stallLimitNs = node.config().lanes().stallLimitNs();
        this.reload = new ReloadStatus(System.currentTimeMillis() / MILLISECONDS);
        this.endpoint = config.enabled() ? startEndpoint(config) : null;
    }

    /**
     * Starts everything.
     *
     * @throws StartFailure with one line; nothing is left running then
     */
    public static Daemon start(DaemonConfig config, NodeOptions options) throws StartFailure {
        Node node = Node.start(config, options);
        try {
            return new Daemon(node, config.metrics());
        } catch (StartFailure | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private MetricsEndpoint startEndpoint(MetricsConfig config) throws StartFailure {
        VersionInfo version = VersionInfo.current();
        MetricsEndpoint.Build build = new MetricsEndpoint.Build(
                version.version(),
                version.commit(),
                version.java(),
                version.profile(),
                ManagementFactory.getRuntimeMXBean().getStartTime() / MILLISECONDS);
        try {
            return MetricsEndpoint.start(
                    InetAddress.getByName(config.bind()), config.port(), sources(node, reload), build, this::troubles);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            throw new StartFailure(
                    "metrics: cannot listen at " + config.bind() + " port " + config.port() + ": " + why
                            + "; choose another address or port with metrics.bind, metrics.port",
                    e);
        }
    }

    private static MetricSources sources(Node node, ReloadStatus reload) {
        List<CounterBlock> lanes = new ArrayList<>();
        for (int lane = 0; lane < node.config().lanes().count(); lane++) {
            lanes.add(node.laneCounters(lane));
        }
        List<PortSource> ports = new ArrayList<>();
        for (PortConfig port : node.config().ports()) {
            List<PacketPort> queues = new ArrayList<>();
            List<FaultCounters> faults = new ArrayList<>();
            for (OpenedPorts.Opened opened : node.openedPorts().ports()) {
                if (opened.config().equals(port)) {
                    queues.add(opened.port());
                    if (opened.faulty() != null) {
                        faults.add(opened.faulty().faults());
                    }
                }
            }
            ports.add(new PortSource(port.name(), queues, faults));
        }
        return new MetricSources(lanes, node.totals(), ports, node.controlCounters(), reload);
    }

    public Node node() {
        return node;
    }

    /** TCP port of the HTTP endpoint; -1 if there is none. */
    public int metricsPort() {
        return endpoint == null ? -1 : endpoint.port();
    }

    /** What keeps the daemon from serving, one line each; empty when it is ready. */
    public List<String> troubles() {
        return node.troubles(stallLimitNs);
    }

    void stallLimitNs(long newLimitNs) {
        stallLimitNs = newLimitNs;
    }

    ReloadStatus reload() {
        return reload;
    }

    /** Ends connections, lanes and ports, telling peers why; the HTTP endpoint last. */
    public void close(String reason) {
        node.close(reason);
        if (endpoint != null) {
            endpoint.close();
        }
    }

    @Override
    public void close() {
        close("closed");
    }
}
