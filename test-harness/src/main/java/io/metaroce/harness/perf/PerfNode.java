// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.config.ConfigException;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.daemon.Node;
import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.control.daemon.StartFailure;
import io.metaroce.harness.app.NodeDevice;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.ProtectionDomain;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The node of one perf process, configured by options alone, and verbs on it. */
final class PerfNode implements AutoCloseable {
    /** Paths that a server permits unless told: the client decides. */
    private static final int SERVER_PATHS = 64;

    private static final int CLIENT_PATHS = 8;
    private static final int SOURCE_PORTS_MIN = 64;
    private static final String LOG_LEVEL = "metaroce.log.level";

    private final Node node;
    private final NodeDevice device;
    private final Context context;
    private final ProtectionDomain domain;

    private PerfNode(Node node) {
        this.node = node;
        this.device = new NodeDevice(node);
        this.context = Context.open(device);
        this.domain = context.allocateProtectionDomain();
    }

    /** Starts a node that clients can connect to. */
    static PerfNode server(HostOptions options) {
        List<String> addresses = options.bind.isEmpty() ? List.of("127.0.0.1") : options.bind;
        List<String> sets = sets(options, addresses, options.paths == 0 ? SERVER_PATHS : options.paths);
        sets.add("control.bind=" + addresses.get(0));
        sets.add("control.port=" + options.port);
        sets.add("control.insecure_remote=true");
        sets.addAll(options.settings);
        return start(sets, NodeOptions.SERVING);
    }

    /** Starts a node that reaches {@code host}. */
    static PerfNode client(HostOptions options, String host) {
        List<String> addresses = options.bind.isEmpty() ? List.of(localAddressTowards(host)) : options.bind;
        List<String> sets = sets(options, addresses, options.paths == 0 ? CLIENT_PATHS : options.paths);
        sets.addAll(options.settings);
        return start(sets, NodeOptions.CLIENT);
    }

    private static List<String> sets(HostOptions options, List<String> addresses, int paths) {
        List<String> sets = new ArrayList<>(List.of("metrics.enabled=false", "transport.paths=" + paths));
        int pathsOfPlane = (paths + addresses.size() - 1) / addresses.size();
        for (int plane = 0; plane < addresses.size(); plane++) {
            String port = "ports[" + plane + "].";
            sets.add(port + "address=" + addresses.get(plane));
            sets.add(port + "udp_port=0");
            sets.add(port + "source_ports=" + Math.max(SOURCE_PORTS_MIN, pathsOfPlane));
        }
        if (options.payloadBytesMax != 0) {
            sets.add("transport.payload_max=" + options.payloadBytesMax + "B");
        }
        if (!options.faults.isEmpty()) {
            sets.add("faults=" + options.faults);
        }
        return sets;
    }

    private static PerfNode start(List<String> sets, NodeOptions options) {
        // What goes wrong is said once, by the command; the node's own log would say it again.
        if (System.getProperty(LOG_LEVEL) == null) {
            System.setProperty(LOG_LEVEL, "OFF");
        }
        try {
            return new PerfNode(
                    Node.start(ConfigLoader.load(null, Map.of(), sets).config(), options));
        } catch (ConfigException e) {
            throw new CommandFailure(inOurWords(String.join("; ", e.problems())), e);
        } catch (StartFailure e) {
            throw new CommandFailure(inOurWords(String.valueOf(e.getMessage())), e);
        }
    }

    /** The configuration's keys as the options that set them here. */
    private static String inOurWords(String problem) {
        return problem.replace("control.bind, control.port", "--bind, -p")
                .replaceAll("(--set )?control\\.port", "-p")
                .replaceAll("(--set )?(control\\.bind|ports\\[\\d+]\\.address)", "--bind")
                .replaceAll("(--set )?transport\\.paths", "--paths")
                .replaceAll("(--set )?transport\\.payload_max", "-m")
                .replaceAll("^(--set )?faults: ", "--faults: ");
    }

    /** The address of ours that packets to a host leave from. Nothing is sent. */
    private static String localAddressTowards(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(bare), 9));
            return socket.getLocalAddress().getHostAddress();
        } catch (UnknownHostException e) {
            throw new CommandFailure("host " + host + " is not known", e);
        } catch (IOException | RuntimeException e) {
            throw new CommandFailure("there is no route to " + host + "; name a local address with --bind", e);
        }
    }

    Node node() {
        return node;
    }

    /** Whether only this host reaches the control channel. */
    boolean listensOnLoopback() {
        try {
            return InetAddress.getByName(node.config().control().bind()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    NodeDevice device() {
        return device;
    }

    Context context() {
        return context;
    }

    ProtectionDomain domain() {
        return domain;
    }

    /** Ends connections and lanes; queues and regions of runs must be closed by then. */
    @Override
    public void close() {
        node.close("perf is done");
    }
}
