// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.VersionInfo;
import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.config.DaemonConfig.PortConfig;
import io.metaroce.control.config.DaemonConfig.TransportConfig;
import io.metaroce.control.config.Units;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.lane.Lane;
import io.metaroce.lane.LaneSettings;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PortCapabilities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One port as {@code ibv_devinfo} would show a device with one port.
 *
 * @param payloadBytes largest payload that fits the link's frames
 * @param limits what can be had at once, by name
 */
record DeviceInfo(
        PortConfig config,
        PortCapabilities capabilities,
        String gid,
        boolean linkIsUp,
        int payloadBytes,
        Map<String, Long> limits) {

    /** Opens each port for a moment, at a UDP port of the system's choice, so that a running daemon is not disturbed. */
    static List<DeviceInfo> probe(DaemonConfig config) throws StartFailure {
        List<PortConfig> ports = new ArrayList<>();
        for (PortConfig port : config.ports()) {
            ports.add(atAnyUdpPort(port));
        }
        OpenedPorts opened = OpenedPorts.open(withPorts(config, ports), null);
        try {
            List<DeviceInfo> devices = new ArrayList<>();
            for (OpenedPorts.Opened each : opened.ofLane(0)) {
                devices.add(describe(config, config.ports().get(devices.size()), each));
            }
            return devices;
        } finally {
            opened.close();
        }
    }

    private static DeviceInfo describe(DaemonConfig config, PortConfig port, OpenedPorts.Opened opened) {
        // A lane that never runs knows the frame's overhead; nobody else here does.
        CounterBlock block = new CounterBlock(
                new UnsafeBuffer(new byte[CounterBlock.bytesFor(LaneCounter.count())]), 0, LaneCounter.count());
        int payloadBytes = new Lane(LaneSettings.SIMULATED, List.of(opened.port()), block)
                .control()
                .payloadBytesMax();
        byte[] address = opened.address().getAddress();
        return new DeviceInfo(
                port,
                opened.port().capabilities(),
                gid(IpAddress.high(address), IpAddress.low(address)),
                opened.port().linkIsUp(),
                payloadBytes,
                limits(config, port, opened.port().capabilities()));
    }

    private static Map<String, Long> limits(DaemonConfig config, PortConfig port, PortCapabilities capabilities) {
        TransportConfig transport = config.transport();
        Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("max_connections", (long) transport.connectionsMax());
        limits.put("max_streams_per_connection", (long) transport.streamsMax());
        limits.put("max_qp", (long) transport.connectionsMax() * transport.streamsMax());
        limits.put("max_paths_per_connection", (long) transport.paths());
        limits.put("max_mr", (long) config.regionsMax());
        limits.put("max_payload_bytes", (long) transport.payloadBytesMax());
        limits.put("max_unacknowledged_packets", (long) transport.csnWindowPackets());
        limits.put("max_messages_under_way", (long) transport.messageWindow());
        limits.put("max_frame_bytes", (long) capabilities.frameBytesMax());
        limits.put("receive_buffer_bytes", capabilities.receiveBufferBytes());
        limits.put("receive_buffer_bytes_asked", port.receiveBufferBytes());
        limits.put("source_ports", (long) capabilities.sourcePortCount());
        limits.put("burst_packets", (long) capabilities.burstPackets());
        limits.put("lanes", (long) config.lanes().count());
        limits.put("dscp", (long) port.dscp());
        return limits;
    }

    static DaemonConfig withPorts(DaemonConfig config, List<PortConfig> ports) {
        return new DaemonConfig(
                config.nodeName(),
                config.drainTimeoutNs(),
                config.logLevel(),
                new DaemonConfig.LaneConfig(1, false, List.of(), config.lanes().stallLimitNs()),
                ports,
                "",
                config.transport(),
                config.regionsMax(),
                config.control(),
                config.countersDirectory(),
                config.metrics());
    }

    private static PortConfig atAnyUdpPort(PortConfig port) {
        return new PortConfig(
                port.name(),
                port.kind(),
                port.address(),
                0,
                port.sourcePorts(),
                port.burstPackets(),
                port.receiveBufferBytes(),
                port.frameBytesMax(),
                port.rateBitsPerSecond(),
                port.dscp(),
                port.options());
    }

    private static String gid(long high, long low) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            long half = i < 4 ? high : low;
            text.append(i == 0 ? "" : ":")
                    .append(String.format(Locale.ROOT, "%04x", half >>> (16 * (3 - i % 4)) & 0xffff));
        }
        return text.toString();
    }

    String text(boolean verbose) {
        StringBuilder text =
                new StringBuilder("hca_id:\t").append(config.name()).append('\n');
        row(text, 1, "transport", "MetaRoCE Open Profile (" + VersionInfo.PROFILE + ")");
        row(text, 1, "fw_ver", VersionInfo.current().version());
        row(text, 1, "kind", config.kind() + ", " + capabilities.description());
        row(text, 1, "phys_port_cnt", "1");
        if (verbose) {
            limits.forEach((name, value) -> row(text, 1, name, shown(name, value)));
        }
        text.append("\t\tport:\t1\n");
        row(text, 3, "state", linkIsUp ? "PORT_ACTIVE (4)" : "PORT_DOWN (1)");
        row(text, 3, "max_mtu", Integer.toString(config.frameBytesMax()));
        row(text, 3, "active_mtu", Integer.toString(payloadBytes));
        row(text, 3, "link_layer", "Ethernet");
        row(text, 3, "rate", Units.bitsPerSecond(config.rateBitsPerSecond()) + "/s");
        row(text, 3, "udp_port", Integer.toString(config.udpPort()));
        row(text, 3, "ecn", capabilities.ecnSeen() ? "seen" : "not seen");
        row(text, 3, "GID[  0]", gid);
        return text.append('\n').toString();
    }

    private static String shown(String name, long value) {
        return name.contains("bytes") ? value + " (" + Units.bytes(value) + ")" : Long.toString(value);
    }

    /** The columns of {@code ibv_devinfo}: tabs, values at the fourth tab stop after the names. */
    private static void row(StringBuilder text, int depth, String name, String value) {
        String label = name + ":";
        int tabs = Math.max(1, 4 - label.length() / 8);
        text.append("\t".repeat(depth))
                .append(label)
                .append("\t".repeat(depth == 1 ? tabs : Math.max(1, tabs - 1)))
                .append(value)
                .append('\n');
    }

    ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("hca_id", config.name());
        node.put("transport", VersionInfo.PROFILE);
        node.put("fw_ver", VersionInfo.current().version());
        node.put("kind", config.kind());
        node.put("description", capabilities.description());
        node.put("state", linkIsUp ? "PORT_ACTIVE" : "PORT_DOWN");
        node.put("max_mtu", config.frameBytesMax());
        node.put("active_mtu", payloadBytes);
        node.put("link_layer", "Ethernet");
        node.put("rate_bits_per_second", config.rateBitsPerSecond());
        node.put("udp_port", config.udpPort());
        node.put("ecn_seen", capabilities.ecnSeen());
        node.put("gid", gid);
        ObjectNode all = node.putObject("limits");
        limits.forEach(all::put);
        return node;
    }
}
