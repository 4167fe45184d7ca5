// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import static io.metaroce.control.config.Option.Change.LIVE;
import static io.metaroce.control.config.Option.Change.RESTART;

import java.util.Locale;

/**
 * Every option of the daemon, once. The documented file {@code config/metaroced.yaml}, the JSON schema, {@code config
 * dump} and the reader all come from this table. {@code []} in a key stands for the index of a list.
 */
public enum Option {
    NODE_NAME(
            "node.name",
            OptionType.text("[A-Za-z0-9._-]{0,63}", "up to 63 letters, digits, dots, dashes, underscores"),
            "",
            RESTART,
            "Name of this host in messages and at peers. Empty: the host name."),
    DAEMON_DRAIN_TIMEOUT(
            "daemon.drain_timeout",
            OptionType.time("0", "10min"),
            "10s",
            LIVE,
            "On TERM, how long running work may take to finish before connections are closed."),
    LOG_LEVEL(
            "log.level",
            OptionType.choice("error", "warn", "info", "debug"),
            "info",
            LIVE,
            "Least important message written to standard error. Nothing is ever logged per packet."),

    LANES_COUNT(
            "lanes.count",
            OptionType.integer(1, 64),
            "1",
            RESTART,
            "Threads that move packets; each has its own queue of every port and its own connections."),
    LANES_IDLE(
            "lanes.idle",
            OptionType.choice("backoff", "busy_spin"),
            "backoff",
            RESTART,
            "What a lane does with nothing to do. backoff sleeps ever longer, up to 100us; busy_spin takes a whole core and\n"
                    + "answers at once."),
    LANES_AFFINITY(
            "lanes.affinity",
            OptionType.text("|\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*", "a list of processors such as 2,4-5"),
            "",
            RESTART,
            "Processors to pin lanes to, in order of lanes, as 2,4-5. Empty: the scheduler decides."),
    LANES_STALL_LIMIT(
            "lanes.stall_limit",
            OptionType.time("10ms", "1min"),
            "500ms",
            LIVE,
            "A lane silent for longer makes /readyz answer 503 and name the lane."),

    PORT_NAME(
            "ports[].name",
            OptionType.text("[A-Za-z0-9._-]{1,31}", "1 to 31 letters, digits, dots, dashes, underscores"),
            "",
            RESTART,
            "Name in messages, metrics (label device) and devinfo. Default: port0, port1, ... Each port is one plane."),
    PORT_KIND(
            "ports[].kind",
            OptionType.text("[a-z][a-z0-9_]{0,15}", "the name of a port provider, such as socket"),
            "socket",
            RESTART,
            "What carries the packets: socket (UDP sockets, any Linux host), or dpdk (a device or virtual device of DPDK; "
                    + "see the options)."),
    PORT_ADDRESS(
            "ports[].address",
            OptionType.text("[0-9A-Za-z:.%_-]{1,64}", "an address or the name of an interface"),
            "127.0.0.1",
            RESTART,
            "Local address of the plane: IPv4, IPv6 (link-local with %interface), or an interface's name."),
    PORT_UDP_PORT(
            "ports[].udp_port",
            OptionType.integer(0, 65535),
            "4795",
            RESTART,
            "UDP port of the first lane; lane n receives at this plus n. 0: the system chooses."),
    PORT_SOURCE_PORTS(
            "ports[].source_ports",
            OptionType.integer(1, 1024),
            "64",
            RESTART,
            "UDP source ports per lane, shared by the paths of all connections: the entropy that spreads paths over a fabric."),
    PORT_BURST(
            "ports[].burst",
            OptionType.integer(1, 256),
            "32",
            RESTART,
            "Packets moved by one call to the device, at most."),
    PORT_RECEIVE_BUFFER(
            "ports[].receive_buffer",
            OptionType.size(64L << 10, 1L << 30),
            "8MiB",
            RESTART,
            "Receive buffer asked of the device. What is really obtained (net.core.rmem_max bounds it without root) is told to\n"
                    + "peers, who keep their in-flight data below half of it."),
    PORT_FRAME_MAX(
            "ports[].frame_max",
            OptionType.size(576, 65507),
            "8972",
            RESTART,
            "Largest UDP payload to send, below what the link's MTU allows; 8972 fits an MTU of 9000."),
    PORT_RATE(
            "ports[].rate",
            OptionType.rate("0", "800Gbit"),
            "0bit",
            RESTART,
            "Speed of the plane, from which the first window, pacing and the receiver's shares are computed. 0bit: not known, and\n"
                    + "neither shares are told to senders nor is delay judged."),
    PORT_DSCP(
            "ports[].dscp",
            OptionType.integer(0, 63),
            "0",
            RESTART,
            "Differentiated services codepoint of every packet. Six bits: the two ECN bits are the transport's own."),
    PORT_OPTIONS(
            "ports[].options.*",
            OptionType.text(".{0,256}", "a text of at most 256 characters"),
            "",
            RESTART,
            "Further words for the port's provider, as a mapping of texts; sockets know gso (on, off) and seed."),

    FAULTS(
            "faults",
            OptionType.faults(),
            "",
            RESTART,
            "Faults injected at every port, counted, from a seed; for tests only. Empty: none. Example:\n"
                    + "loss=1%,reorder=2%,dup=0.1%,corrupt=0.01%,delay=200us,path-kill=3@2s-5s,seed=7"),

    TRANSPORT_PATHS(
            "transport.paths",
            OptionType.integer(1, 255),
            "8",
            RESTART,
            "Paths of a connection, spread evenly over its planes. 32 where a round trip holds 64 packets or more."),
    TRANSPORT_PAYLOAD_MAX(
            "transport.payload_max",
            OptionType.powerOfTwoSize(256, 8192),
            "8192",
            RESTART,
            "Largest payload of a packet; lowered to what both ends' frames carry, then proven by probes."),
    TRANSPORT_CSN_WINDOW(
            "transport.csn_window",
            OptionType.powerOfTwo(1024, 16384),
            "16384",
            RESTART,
            "Packets of a connection between the first unacknowledged one and the newest. The smaller end decides."),
    TRANSPORT_MESSAGE_WINDOW(
            "transport.message_window",
            OptionType.powerOfTwo(2, 4096),
            "1024",
            RESTART,
            "Messages of a stream that may be under way at once. The smaller end decides."),
    TRANSPORT_STREAMS_MAX(
            "transport.streams_max",
            OptionType.integer(1, 65535),
            "1024",
            RESTART,
            "Streams (queue pairs) of a connection. The smaller end decides."),
    TRANSPORT_CONNECTIONS_MAX(
            "transport.connections_max",
            OptionType.integer(1, 65536),
            "4096",
            RESTART,
            "Connections of this host; one more is refused with a reason."),
    TRANSPORT_CONNECTION_TIMEOUT(
            "transport.connection_timeout",
            OptionType.time("100ms", "10min"),
            "5s",
            RESTART,
            "Silence of every path after which a connection with work outstanding is lost."),
    TRANSPORT_RTO_FLOOR(
            "transport.rto_floor",
            OptionType.time("50us", "1s"),
            "20ms",
            RESTART,
            "Least retransmission timeout beyond the measured round trip. Below 1ms only where nothing delays this process."),
    TRANSPORT_CONGESTION(
            "transport.congestion",
            OptionType.choice("aimd", "fixed"),
            "aimd",
            RESTART,
            "Congestion controller: aimd (ECN, per path), or fixed (a constant window, for measurements)."),
    TRANSPORT_FIXED_WINDOW(
            "transport.fixed_window",
            OptionType.size(256, 1L << 30),
            "256KiB",
            RESTART,
            "Window of every path with congestion: fixed."),
    TRANSPORT_INCAST_DEGREE(
            "transport.incast_degree",
            OptionType.integer(0, 65535),
            "0",
            RESTART,
            "How many hosts are expected to send to one at the same time; decides the first window. 0: unknown."),

    MEMORY_REGIONS_MAX(
            "memory.regions_max",
            OptionType.integer(1, 4096),
            "4096",
            RESTART,
            "Memory regions that can be registered at once."),

    CONTROL_BIND(
            "control.bind",
            OptionType.addressLiteral(),
            "127.0.0.1",
            RESTART,
            "Address the control channel listens at. Beyond loopback it needs insecure_remote: peers are not authenticated."),
    CONTROL_PORT(
            "control.port",
            OptionType.integer(0, 65535),
            "4794",
            RESTART,
            "TCP port of the control channel. 0: the system chooses."),
    CONTROL_INSECURE_REMOTE(
            "control.insecure_remote",
            OptionType.flag(),
            "false",
            RESTART,
            "Allow unauthenticated peers from other hosts. Anyone who reaches the port can then open connections."),
    CONTROL_HANDSHAKES_MAX(
            "control.handshakes_max",
            OptionType.integer(1, 4096),
            "256",
            RESTART,
            "Peers that may be in the middle of connecting at once; one more is closed at once."),
    CONTROL_HANDSHAKE_TIMEOUT(
            "control.handshake_timeout",
            OptionType.time("100ms", "1min"),
            "10s",
            RESTART,
            "How long a peer may take to connect once its channel is open."),

    CONTROL_PEERS(
            "control.peers",
            OptionType.prefixes(),
            "",
            RESTART,
            "Addresses that a peer may name for its planes, as prefixes; a peer that names another is refused, so that nobody\n"
                    + "can have packets sent to a third host. Empty: every host. Example: 10.0.0.0/8,fd00::/8"),

    COUNTERS_DIRECTORY(
            "counters.directory",
            OptionType.text("|none|/[^\\n]{0,255}", "an absolute path, none, or nothing"),
            "",
            RESTART,
            "Directory of the file in which metaroce stat, run by the same user, reads every counter of every connection.\n"
                    + "Empty: /dev/shm/metaroce-USER. none: no file."),

    METRICS_ENABLED(
            "metrics.enabled", OptionType.flag(), "true", RESTART, "Serve /metrics, /healthz and /readyz over HTTP."),
    METRICS_BIND(
            "metrics.bind",
            OptionType.addressLiteral(),
            "127.0.0.1",
            RESTART,
            "Address the HTTP endpoint listens at; 0.0.0.0 or :: for a scrape from another host."),
    METRICS_PORT(
            "metrics.port",
            OptionType.integer(0, 65535),
            "9478",
            RESTART,
            "TCP port of the HTTP endpoint. 0: the system chooses.");

    /** Whether a changed value is taken over by a reload (HUP) or needs a restart. */
    public enum Change {
        LIVE,
        RESTART
    }

    /** Most ports a node can have; each is one plane. */
    public static final int PORTS_MAX = 8;

    private final String key;

    @SuppressWarnings("ImmutableEnumChecker") // its functions hold no state, which the checker cannot see
    private final OptionType type;

    private final String defaultText;
    private final Change change;
    private final String reason;

    Option(String key, OptionType type, String defaultText, Change change, String reason) {
        this.key = key;
        this.type = type;
        this.defaultText = defaultText;
        this.change = change;
        this.reason = reason;
    }

    /** Dotted key path; {@code []} stands for an index, a last {@code *} for any word. */
    public String key() {
        return key;
    }

    public OptionType type() {
        return type;
    }

    /** The default as the file would have it. */
    public String defaultText() {
        return defaultText;
    }

    public Change change() {
        return change;
    }

    /** What it does and why one would change it. */
    public String reason() {
        return reason;
    }

    /** Whether it belongs to an entry of the list of ports. */
    public boolean isOfPort() {
        return key.startsWith("ports[].");
    }

    /** The key of one port's option. */
    public String keyOfPort(int index) {
        return key.replace("[]", "[" + index + "]");
    }

    /** The environment variable that overrides a key: {@code METAROCE_TRANSPORT_RTO_FLOOR}. */
    static String variableOf(String concreteKey) {
        String words = concreteKey.replace("[", "_").replace("]", "").replace('.', '_');
        return "METAROCE_" + words.toUpperCase(Locale.ROOT);
    }
}
