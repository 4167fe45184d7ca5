// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.ControlCounters;
import io.metaroce.control.connect.ControlEndpoint;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.control.connect.StreamListener;
import io.metaroce.control.metrics.CounterTotals;
import io.metaroce.counters.CounterBlock;
import io.metaroce.lane.LaneRunner;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import io.metaroce.wrap.FaultControl;
import io.metaroce.wrap.FaultCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lanes, ports and control channel of one process: what the daemon runs, and what a program may embed. Safe for any thread.
 *
 * <pre>{@code
 * try (Node node = Node.start(config, NodeOptions.CLIENT)) {
 *     PeerConnection peer = node.connect("192.0.2.1", 4794, Duration.ofSeconds(10), System.err::println);
 *     int rkey = node.registerMemory(domain, address, length, access);
 *     OpenedStream stream = peer.openStream("perf", privateData, queues, Duration.ofSeconds(10));
 *     ...
 * }
 * }</pre>
 */
public final class Node implements AutoCloseable {
    private static final long LANE_STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    /** What a node is made of; see {@link DaemonAssembly}. */
    record Parts(
            DaemonConfig config,
            String name,
            OpenedPorts ports,
            List<LaneRunner> runners,
            List<CounterBlock> laneCounters,
            CounterTotals totals,
            CounterStore store,
            ControlEndpoint endpoint,
            MemoryRegistry memory) {}

    /**
     * One port as opened for one lane.
     *
     * @param name the operator's
     * @param kind of provider
     * @param lane whose queue it is
     * @param address bound, as a literal with scope
     * @param udpPort receives at
     * @param capabilities what it offers
     * @param linkIsUp whether it can carry packets now
     */
    public record PortInfo(
            String name,
            String kind,
            int lane,
            String address,
            int udpPort,
            PortCapabilities capabilities,
            boolean linkIsUp) {}

    private final Parts parts;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile boolean isDraining;

    Node(Parts parts) {
        this.parts = parts;
    }

    /**
     * Opens ports, starts lanes and the control channel.
     *
     * @throws StartFailure with one line; nothing is left running then
     */
    public static Node start(DaemonConfig config, NodeOptions options) throws StartFailure {
        return DaemonAssembly.startNode(config, options);
    }

    /** This host's name to peers. */
    public String name() {
        return parts.name;
    }

    public DaemonConfig config() {
        return parts.config;
    }

    /** TCP port of the control channel; -1 if peers cannot connect to this node. */
    public int controlPort() {
        return parts.endpoint.port();
    }

    /**
     * Connects to a peer; see {@link ControlEndpoint#connect}.
     *
     * @param onWaiting told once, with one line, if the peer is not there at once
     */
    public PeerConnection connect(String host, int port, Duration timeout, Consumer<String> onWaiting)
            throws ConnectFailure {
        return parts.endpoint.connect(host, port, timeout, onWaiting);
    }

    /** Offers a service: peers open streams to it by name. */
    public void serve(String service, StreamListener listener) {
        parts.endpoint.serve(service, listener);
    }

    public void unserve(String service) {
        parts.endpoint.unserve(service);
    }

    /**
     * Makes memory usable by the lanes; it stays mapped until {@link #deregisterMemory} has returned.
     *
     * @param accessFlags bits of {@code io.metaroce.memory.AccessFlags}
     * @return the key, as lkey and rkey
     * @throws ConnectFailure if no registration is left, or the range is empty or wraps
     */
    public int registerMemory(int protectionDomain, long address, long lengthBytes, int accessFlags)
            throws ConnectFailure {
        return parts.memory.register(protectionDomain, address, lengthBytes, accessFlags);
    }

    /** Returns when no lane touches the memory any more. */
    public void deregisterMemory(int key) throws ConnectFailure {
        parts.memory.deregister(key);
    }

    public int memoryRegions() {
        return parts.memory.count();
    }

    public List<PortInfo> ports() {
        List<PortInfo> infos = new ArrayList<>();
        for (OpenedPorts.Opened opened : parts.ports.ports()) {
            infos.add(new PortInfo(
                    opened.config().name(),
                    opened.config().kind(),
                    opened.lane(),
                    opened.address().getHostAddress(),
                    opened.port().udpPort(),
                    opened.port().capabilities(),
                    opened.port().linkIsUp()));
        }
        return infos;
    }

    /** A counter summed over all ports and lanes. */
    public long count(PortCounter counter) {
        return parts.ports.ports().stream()
                .mapToLong(opened -> opened.port().counter(counter))
                .sum();
    }

    /** Changes the faults of all ports; null if none stand in front of them. */
    public @Nullable FaultControl faults() {
        return parts.ports.faults();
    }

    /** What the faults did, summed over all ports; 0 if none stand in front of them. */
    public long count(FaultCounter counter) {
        long sum = 0;
        for (OpenedPorts.Opened opened : parts.ports.ports()) {
            sum += opened.faulty() == null ? 0 : opened.faulty().faults().get(counter);
        }
        return sum;
    }

    /** Sums over all connections there are and were. */
    public CounterTotals totals() {
        return parts.totals;
    }

    /** The numbers of one lane, rows of {@code LaneCounter}. */
    public CounterBlock laneCounters(int lane) {
        return parts.laneCounters.get(lane);
    }

    public ControlCounters controlCounters() {
        return parts.endpoint.counters();
    }

    OpenedPorts openedPorts() {
        return parts.ports;
    }

    /**
     * What keeps the node from serving, one line each; empty when it is ready.
     *
     * @param stallLimitNs silence of a lane or of the control thread that counts as a stall
     */
    public List<String> troubles(long stallLimitNs) {
        List<String> troubles = new ArrayList<>();
        for (int lane = 0; lane < parts.runners.size(); lane++) {
            LaneRunner runner = parts.runners.get(lane);
            long sinceNs = runner.sinceLastCycleNs();
            if (runner.hasEnded()) {
                troubles.add("lane " + lane + " has ended");
            } else if (sinceNs > stallLimitNs) {
                troubles.add("lane " + lane + " has stood still for " + TimeUnit.NANOSECONDS.toMillis(sinceNs) + " ms");
            }
        }
        if (parts.endpoint.sinceLastTurnNs() > Math.max(stallLimitNs, TimeUnit.SECONDS.toNanos(1))) {
            troubles.add("the control thread has stood still for "
                    + TimeUnit.NANOSECONDS.toMillis(parts.endpoint.sinceLastTurnNs()) + " ms");
        }
        if (isDraining) {
            troubles.add("draining");
        }
        return troubles;
    }

    /** Takes nothing new and tells peers so; what runs goes on. */
    public void drain(String reason) {
        isDraining = true;
        parts.endpoint.drain(reason);
    }

    /** Streams that are open. */
    public int streamCount() {
        return parts.endpoint.counters().gauges().streams();
    }

    public int connectionCount() {
        return parts.endpoint.counters().gauges().connections();
    }

    /** Ends every connection, telling peers why, then the lanes, then the ports. */
    public void close(String reason) {
        if (isClosed.compareAndSet(false, true)) {
            parts.endpoint.close(reason);
            parts.runners.forEach(LaneRunner::stop);
            try {
                for (LaneRunner runner : parts.runners) {
                    runner.awaitEnd(LANE_STOP_TIMEOUT_NS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            parts.store.close();
        }
    }

    @Override
    public void close() {
        close("closed");
    }
}
