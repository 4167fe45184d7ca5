// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import io.metaroce.control.config.DaemonConfig.PortConfig;
import io.metaroce.control.config.DaemonConfig.TransportConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Relations between options: each broken one is a line that names both sides. */
final class ConfigRules {
    /** RTOs a path must have time for before its connection is given up: suspect, dead, and one to spare. */
    private static final int TIMEOUTS_BEFORE_LOSS = 4;

    private final DaemonConfig config;
    private final Settings settings;
    private final List<String> problems = new ArrayList<>();

    private ConfigRules(DaemonConfig config, Settings settings) {
        this.config = config;
        this.settings = settings;
    }

    static List<String> problems(DaemonConfig config, Settings settings) {
        ConfigRules rules = new ConfigRules(config, settings);
        rules.checkTransport();
        rules.checkPorts();
        rules.checkLanes();
        rules.checkEndpoints();
        return rules.problems;
    }

    /** What is allowed but should be known. */
    static List<String> warnings(DaemonConfig config) {
        List<String> warnings = new ArrayList<>();
        if (!AddressLiteral.isLoopback(config.control().bind())) {
            warnings.add("control.bind: " + config.control().bind()
                    + " is reachable from other hosts and peers are not authenticated; anyone who reaches it can open"
                    + " connections and exhaust them");
        }
        if (!config.faults().isEmpty()) {
            warnings.add("faults: packets will be damaged on purpose: " + config.faults());
        }
        return warnings;
    }

    private void checkTransport() {
        TransportConfig transport = config.transport();
        if (transport.connectionTimeoutNs() < TIMEOUTS_BEFORE_LOSS * transport.rtoFloorNs()) {
            problem(
                    Option.TRANSPORT_CONNECTION_TIMEOUT,
                    "at least " + TIMEOUTS_BEFORE_LOSS + " times transport.rto_floor ("
                            + Units.nanoseconds(transport.rtoFloorNs())
                            + ") is needed, so that a path can be found dead first");
        }
        if (transport.fixedWindowBytes() < transport.payloadBytesMax()) {
            problem(
                    Option.TRANSPORT_FIXED_WINDOW,
                    "smaller than transport.payload_max (" + Units.bytes(transport.payloadBytesMax())
                            + "); no packet would ever be sent");
        }
        if (transport.paths() < config.ports().size()) {
            problem(
                    Option.TRANSPORT_PATHS,
                    "fewer paths than ports (" + config.ports().size() + "); every port is a plane and needs one");
        }
    }

    private void checkPorts() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            if (!names.add(port.name())) {
                problem(Option.PORT_NAME.keyOfPort(i), "another port has this name");
            }
            int lastUdpPort = port.udpPort() + config.lanes().count() - 1;
            if (port.udpPort() != 0 && lastUdpPort > 65535) {
                problem(
                        Option.PORT_UDP_PORT.keyOfPort(i),
                        "with lanes.count " + config.lanes().count() + " the last lane would receive at " + lastUdpPort
                                + ", beyond 65535");
            }
            int pathsPerPort = (config.transport().paths() + config.ports().size() - 1)
                    / config.ports().size();
            if (port.sourcePorts() < pathsPerPort) {
                problem(
                        Option.PORT_SOURCE_PORTS.keyOfPort(i),
                        "fewer than the " + pathsPerPort
                                + " paths of a connection on this port (transport.paths "
                                + config.transport().paths() + ")");
            }
        }
        checkOverlaps();
    }

    private void checkOverlaps() {
        Map<String, Integer> portOf = new HashMap<>();
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            for (int lane = 0; port.udpPort() != 0 && lane < config.lanes().count(); lane++) {
                String endpoint = port.address() + " " + (port.udpPort() + lane);
                Integer other = portOf.putIfAbsent(endpoint, i);
                if (other != null) {
                    problem(
                            Option.PORT_UDP_PORT.keyOfPort(i),
                            "lane " + lane + " would receive at the same address and port" + " as a lane of ports["
                                    + other + "]");
                    break;
                }
            }
        }
    }

    private void checkLanes() {
        List<Integer> affinity = config.lanes().affinity();
        boolean given = !settings.text(Option.LANES_AFFINITY).isEmpty();
        if (given && affinity.size() != config.lanes().count()) {
            problem(
                    Option.LANES_AFFINITY,
                    "names " + affinity.size() + " processors for lanes.count "
                            + config.lanes().count());
        } else if (new HashSet<>(affinity).size() != affinity.size()) {
            problem(Option.LANES_AFFINITY, "names a processor twice");
        }
    }

    private void checkEndpoints() {
        // MOP-CTL-23
        String bind = config.control().bind();
        if (!AddressLiteral.isLoopback(bind) && !config.control().insecureRemote()) {
            problem(
                    Option.CONTROL_BIND,
                    "reachable from other hosts while peers are not authenticated;"
                            + " set control.insecure_remote: true to allow it");
        }
        boolean sameEndpoint = config.metrics().enabled()
                && config.metrics().port() != 0
                && config.metrics().port() == config.control().port()
                && config.metrics().bind().equals(bind);
        if (sameEndpoint) {
            problem(Option.METRICS_PORT, "the same address and port as control.port");
        }
    }

    private void problem(Option option, String text) {
        problem(option.key(), text);
    }

    private void problem(String key, String text) {
        Setting setting = settings.get(key);
        String where = setting.origin().kind() == Origin.Kind.DEFAULT
                ? ""
                : setting.origin().where() + ": ";
        problems.add(where + key + ": \"" + setting.text() + "\" is not allowed: " + text);
    }
}
