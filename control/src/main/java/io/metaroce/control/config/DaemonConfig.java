// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The daemon's configuration, complete and checked. Made by {@link ConfigLoader}; each field is one row of {@link Option},
 * which says what it means. Times in nanoseconds, sizes in bytes, rates in bits per second.
 */
public record DaemonConfig(
        String nodeName,
        long drainTimeoutNs,
        String logLevel,
        LaneConfig lanes,
        List<PortConfig> ports,
        String faults,
        TransportConfig transport,
        int regionsMax,
        ControlConfig control,
        String countersDirectory,
        MetricsConfig metrics) {

    public DaemonConfig {
        ports = List.copyOf(ports);
    }

    /** Threads that move packets. */
    public record LaneConfig(int count, boolean busySpin, List<Integer> affinity, long stallLimitNs) {
        public LaneConfig {
            affinity = List.copyOf(affinity);
        }
    }

    /** One port, which is one plane. */
    public record PortConfig(
            String name,
            String kind,
            String address,
            int udpPort,
            int sourcePorts,
            int burstPackets,
            long receiveBufferBytes,
            int frameBytesMax,
            long rateBitsPerSecond,
            int dscp,
            Map<String, String> options) {
        public PortConfig {
            options = Map.copyOf(options);
        }
    }

    /** Bounds and choices of the transport. */
    public record TransportConfig(
            int paths,
            int payloadBytesMax,
            int csnWindowPackets,
            int messageWindow,
            int streamsMax,
            int connectionsMax,
            long connectionTimeoutNs,
            long rtoFloorNs,
            boolean fixedCongestion,
            long fixedWindowBytes,
            int incastDegree) {}

    /** The control channel. */
    public record ControlConfig(
            String bind, int port, boolean insecureRemote, int handshakesMax, long handshakeTimeoutNs, String peers) {}

    /** The HTTP endpoint. */
    public record MetricsConfig(boolean enabled, String bind, int port) {}

    /** The configuration of a daemon started with no file at all. */
    public static DaemonConfig defaults() {
        try {
            return ConfigLoader.load(null, Map.of(), List.of()).config();
        } catch (ConfigException e) {
            throw new AssertionError("the defaults must pass their own checks", e);
        }
    }

    static DaemonConfig from(Settings settings) {
        List<PortConfig> ports = new ArrayList<>();
        for (int i = 0; i < settings.portCount(); i++) {
            ports.add(port(settings, i));
        }
        return new DaemonConfig(
                settings.text(Option.NODE_NAME),
                settings.number(Option.DAEMON_DRAIN_TIMEOUT),
                settings.text(Option.LOG_LEVEL),
                lanes(settings),
                ports,
                settings.text(Option.FAULTS),
                transport(settings),
                settings.integer(Option.MEMORY_REGIONS_MAX),
                new ControlConfig(
                        settings.text(Option.CONTROL_BIND),
                        settings.integer(Option.CONTROL_PORT),
                        settings.flag(Option.CONTROL_INSECURE_REMOTE),
                        settings.integer(Option.CONTROL_HANDSHAKES_MAX),
                        settings.number(Option.CONTROL_HANDSHAKE_TIMEOUT),
                        settings.text(Option.CONTROL_PEERS)),
                settings.text(Option.COUNTERS_DIRECTORY),
                new MetricsConfig(
                        settings.flag(Option.METRICS_ENABLED),
                        settings.text(Option.METRICS_BIND),
                        settings.integer(Option.METRICS_PORT)));
    }

    private static LaneConfig lanes(Settings settings) {
        return new LaneConfig(
                settings.integer(Option.LANES_COUNT),
                settings.text(Option.LANES_IDLE).equals("busy_spin"),
                processors(settings.text(Option.LANES_AFFINITY)),
                settings.number(Option.LANES_STALL_LIMIT));
    }

    /** {@code 2,4-5} is 2, 4, 5; a range that runs backwards gives nothing and is refused by the rules. */
    static List<Integer> processors(String text) {
        List<Integer> processors = new ArrayList<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int dash = part.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
            for (int processor = first; processor <= last; processor++) {
                processors.add(processor);
            }
        }
        return processors;
    }

    private static PortConfig port(Settings settings, int i) {
        return new PortConfig(
                settings.text(Option.PORT_NAME, i),
                settings.text(Option.PORT_KIND, i),
                settings.text(Option.PORT_ADDRESS, i),
                Math.toIntExact(settings.number(Option.PORT_UDP_PORT, i)),
                Math.toIntExact(settings.number(Option.PORT_SOURCE_PORTS, i)),
                Math.toIntExact(settings.number(Option.PORT_BURST, i)),
                settings.number(Option.PORT_RECEIVE_BUFFER, i),
                Math.toIntExact(settings.number(Option.PORT_FRAME_MAX, i)),
                settings.number(Option.PORT_RATE, i),
                Math.toIntExact(settings.number(Option.PORT_DSCP, i)),
                settings.portOptions(i));
    }

    private static TransportConfig transport(Settings settings) {
        return new TransportConfig(
                settings.integer(Option.TRANSPORT_PATHS),
                settings.integer(Option.TRANSPORT_PAYLOAD_MAX),
                settings.integer(Option.TRANSPORT_CSN_WINDOW),
                settings.integer(Option.TRANSPORT_MESSAGE_WINDOW),
                settings.integer(Option.TRANSPORT_STREAMS_MAX),
                settings.integer(Option.TRANSPORT_CONNECTIONS_MAX),
                settings.number(Option.TRANSPORT_CONNECTION_TIMEOUT),
                settings.number(Option.TRANSPORT_RTO_FLOOR),
                settings.text(Option.TRANSPORT_CONGESTION).equals("fixed"),
                settings.number(Option.TRANSPORT_FIXED_WINDOW),
                settings.integer(Option.TRANSPORT_INCAST_DEGREE));
    }
}
