// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.config.DaemonConfig.ControlConfig;
import io.metaroce.control.config.DaemonConfig.LaneConfig;
import io.metaroce.control.config.DaemonConfig.TransportConfig;
import io.metaroce.control.connect.AddressFilter;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.ControlEndpoint;
import io.metaroce.control.connect.Identity;
import io.metaroce.control.connect.Limits;
import io.metaroce.control.connect.ManagerSettings;
import io.metaroce.control.connect.PlaneOffer;
import io.metaroce.control.metrics.CounterTotals;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.CounterFile;
import io.metaroce.counters.LaneCounter;
import io.metaroce.lane.IdleMode;
import io.metaroce.lane.Lane;
import io.metaroce.lane.LaneRunner;
import io.metaroce.lane.LaneSettings;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.ThreadAffinity;
import io.metaroce.wrap.FaultControl;
import io.metaroce.wrap.FaultPlan;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Builds a node: the one place where constructors of different rooms meet. */
final class DaemonAssembly {
    /** Executed by this node as responder; reads and atomics come later. */
    private static final long BITS_PER_MEGABIT = 1_000_000;

    private static final List<String> OPERATIONS = List.of("WRITE", "WRITE_IMM", "SEND", "SEND_IMM");

    /** The idle loop's longest park must not look like a stall; see {@code LaneRunner}. */
    private static final long STALL_BOUND_NS_MIN = 500_000;

    private static final long STALL_BOUND_NS_MAX = 1_000_000;
    private static final long LANE_START_TIMEOUT_NS = 10_000_000_000L;
    private static final long PARK_NS = 100_000;
    private static final long LANE_STOP_TIMEOUT_NS = 2_000_000_000L;

    private DaemonAssembly() {}

    static Node startNode(DaemonConfig config, NodeOptions options) throws StartFailure {
        String name = config.nodeName().isEmpty() ? hostName() : config.nodeName();
        boolean hasFaults = options.faultsCanChange() || !config.faults().isEmpty();
        FaultControl faults = hasFaults ? new FaultControl(FaultPlan.parse(config.faults())) : null;
        OpenedPorts ports = OpenedPorts.open(config, faults);
        List<LaneRunner> runners = new ArrayList<>();
        List<LaneLink> links = new ArrayList<>();
        List<CounterBlock> counters = new ArrayList<>();
        CounterStore store = openStore(config, name, ports);
        try {
            for (int lane = 0; lane < config.lanes().count(); lane++) {
                buildLane(config, ports, lane, runners, links, counters, store);
            }
        } catch (StartFailure | RuntimeException e) {
            ports.close();
            store.close();
            throw e;
        }
        runners.forEach(LaneRunner::start);
        try {
            awaitFirstCycles(counters);
            return startControl(config, options, name, ports, runners, links, counters, store);
        } catch (ConnectFailure | RuntimeException e) {
            runners.forEach(LaneRunner::stop);
            awaitEnd(runners);
            store.close();
            throw new StartFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private static CounterStore openStore(DaemonConfig config, String name, OpenedPorts ports) throws StartFailure {
        try {
            return CounterStore.open(
                    config.countersDirectory(),
                    name,
                    new CounterFile.Shape(
                            config.lanes().count(),
                            config.transport().connectionsMax(),
                            config.transport().paths()));
        } catch (StartFailure e) {
            ports.close();
            throw e;
        }
    }

    /** So that a node that has started is one whose lanes poll. */
    private static void awaitFirstCycles(List<CounterBlock> lanes) throws ConnectFailure {
        long endNs = System.nanoTime() + LANE_START_TIMEOUT_NS;
        for (CounterBlock lane : lanes) {
            while (lane.get(LaneCounter.CYCLES.ordinal()) == 0) {
                if (endNs - System.nanoTime() < 0) {
                    throw new ConnectFailure("lane " + lanes.indexOf(lane) + " does not start; is its processor free?");
                }
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    private static void buildLane(
            DaemonConfig config,
            OpenedPorts ports,
            int index,
            List<LaneRunner> runners,
            List<LaneLink> links,
            List<CounterBlock> counters,
            CounterStore store)
            throws StartFailure {
        List<PacketPort> ofLane =
                ports.ofLane(index).stream().map(OpenedPorts.Opened::port).toList();
        LaneSettings settings = laneSettings(config);
        CounterBlock block = store.lane(index);
        List<Integer> ratesMbps = config.ports().stream()
                .map(port -> (int) (port.rateBitsPerSecond() / BITS_PER_MEGABIT))
                .toList();
        Lane lane = new Lane(settings, ofLane, ratesMbps, block);
        LaneConfig laneConfig = config.lanes();
        IdleMode idle = laneConfig.busySpin() ? IdleMode.BUSY_SPIN : IdleMode.BACKOFF;
        boolean isPinned = !laneConfig.affinity().isEmpty();
        runners.add(new LaneRunner(
                lane,
                settings,
                new LaneRunner.Settings(
                        "metaroce-lane-" + index,
                        idle,
                        isPinned ? affinity() : null,
                        isPinned ? laneConfig.affinity().get(index) : 0)));
        links.add(link(index, lane, ports.ofLane(index)));
        counters.add(block);
    }

    private static LaneSettings laneSettings(DaemonConfig config) {
        LaneSettings base = LaneSettings.DEFAULT;
        int burst = config.ports().stream()
                .mapToInt(DaemonConfig.PortConfig::burstPackets)
                .max()
                .orElse(base.burstPackets());
        long halfFloorNs = config.transport().rtoFloorNs() / 2;
        return new LaneSettings(
                config.transport().connectionsMax(),
                burst,
                base.receiveBurstsMax(),
                base.transmitPacketsMax(),
                base.workRequestsMax(),
                base.commandsMax(),
                base.commandSlots(),
                base.eventSlots(),
                Math.max(STALL_BOUND_NS_MIN, Math.min(STALL_BOUND_NS_MAX, halfFloorNs)),
                base.quarantineNs(),
                base.quarantineMax());
    }

    private static LaneLink link(int index, Lane lane, List<OpenedPorts.Opened> ports) {
        List<PlaneOffer> planes = new ArrayList<>();
        List<Integer> scopes = new ArrayList<>();
        for (OpenedPorts.Opened opened : ports) {
            PortCapabilities capabilities = opened.port().capabilities();
            planes.add(new PlaneOffer(
                    LocalAddresses.withoutScope(opened.address()),
                    opened.port().udpPort(),
                    lane.control().payloadBytesMax(),
                    capabilities.receiveBufferBytes(),
                    capabilities.burstPackets()));
            scopes.add(LocalAddresses.scopeOf(opened.address()));
        }
        return new LaneLink(index, lane.control(), planes, scopes);
    }

    private static @Nullable ThreadAffinity affinity() throws StartFailure {
        for (ThreadAffinity affinity : ServiceLoader.load(ThreadAffinity.class)) {
            return affinity;
        }
        throw new StartFailure("lanes.affinity: nothing here can pin threads; leave it empty");
    }

    private static Node startControl(
            DaemonConfig config,
            NodeOptions options,
            String name,
            OpenedPorts ports,
            List<LaneRunner> runners,
            List<LaneLink> links,
            List<CounterBlock> counters,
            CounterStore store)
            throws ConnectFailure {
        CounterTotals totals = new CounterTotals(config.transport().paths());
        LaneDataplane dataplane = new LaneDataplane(links, config.transport(), options.sabotage(), totals, store);
        ControlConfig control = config.control();
        ControlEndpoint endpoint = ControlEndpoint.start(
                Identity.random(name),
                managerSettings(config),
                dataplane,
                options.listens() ? literal(control.bind()) : null,
                control.port());
        MemoryRegistry memory = new MemoryRegistry(endpoint, dataplane, config.regionsMax());
        return new Node(
                new Node.Parts(config, name, ports, List.copyOf(runners), counters, totals, store, endpoint, memory));
    }

    private static ManagerSettings managerSettings(DaemonConfig config) {
        TransportConfig transport = config.transport();
        return new ManagerSettings(
                new Limits(
                        transport.payloadBytesMax(),
                        transport.csnWindowPackets(),
                        transport.messageWindow(),
                        transport.streamsMax(),
                        transport.paths()),
                transport.connectionsMax(),
                config.control().handshakesMax(),
                config.control().handshakeTimeoutNs(),
                transport.connectionTimeoutNs(),
                transport.incastDegree(),
                OPERATIONS,
                AddressFilter.parse(config.control().peers()));
    }

    private static InetAddress literal(String address) throws ConnectFailure {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new ConnectFailure("control.bind: " + address + ": " + e.getMessage());
        }
    }

    private static String hostName() {
        try {
            String name = InetAddress.getLocalHost().getHostName();
            return name.substring(0, Math.min(name.length(), 63));
        } catch (UnknownHostException e) {
            return "unnamed";
        }
    }

    private static void awaitEnd(List<LaneRunner> runners) {
        try {
            for (LaneRunner runner : runners) {
                runner.awaitEnd(LANE_STOP_TIMEOUT_NS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
