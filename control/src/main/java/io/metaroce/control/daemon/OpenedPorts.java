// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.config.DaemonConfig.PortConfig;
import io.metaroce.lane.MopClassifier;
import io.metaroce.port.Framing;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PacketPortProvider;
import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import io.metaroce.wrap.FaultControl;
import io.metaroce.wrap.FaultyPort;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ports of a configuration, opened: for each lane one queue of each, with faults in front if wanted.
 *
 * @param ports every queue of every port, lane after lane, within a lane in the order of the configuration
 * @param faults changes the faults of all of them; null if there are none in front
 */
record OpenedPorts(List<Opened> ports, @Nullable FaultControl faults) {
    OpenedPorts {
        ports = List.copyOf(ports);
    }

    /**
     * One queue.
     *
     * @param config the port it belongs to
     * @param lane whose it is
     * @param address bound, with scope
     * @param port what the lane calls
     * @param faulty the same, if faults are in front
     */
    record Opened(
            PortConfig config,
            int lane,
            InetAddress address,
            PacketPort port,
            @Nullable FaultyPort faulty) {}

    /**
     * Opens all ports, or none.
     *
     * @param faults the faults in front of every port; null for none
     */
    static OpenedPorts open(DaemonConfig config, @Nullable FaultControl faults) throws StartFailure {
        List<Opened> opened = new ArrayList<>();
        try {
            for (int lane = 0; lane < config.lanes().count(); lane++) {
                for (PortConfig port : config.ports()) {
                    opened.add(open(port, lane, faults));
                }
            }
        } catch (StartFailure | PortException e) {
            opened.forEach(each -> each.port().close());
            throw e instanceof StartFailure failure ? failure : new StartFailure(String.valueOf(e.getMessage()), e);
        }
        return new OpenedPorts(opened, faults);
    }

    private static Opened open(PortConfig config, int lane, @Nullable FaultControl faults) throws StartFailure {
        InetAddress address = LocalAddresses.resolve(config.name(), config.address());
        PacketPort port = provider(config).open(settings(config, lane, address));
        if (port.capabilities().framing() != Framing.DATAGRAM) {
            port.close();
            throw new StartFailure("port " + config.name() + ": kind " + config.kind()
                    + " carries whole Ethernet frames, which lanes do not take yet");
        }
        FaultyPort faulty = faults == null ? null : new FaultyPort(port, faults, new MopClassifier(), System::nanoTime);
        return new Opened(config, lane, address, faulty == null ? port : faulty, faulty);
    }

    private static PortSettings settings(PortConfig config, int lane, InetAddress address) {
        return new PortSettings(
                config.kind(),
                config.name(),
                lane,
                address.getHostAddress(),
                config.udpPort() == 0 ? 0 : config.udpPort() + lane,
                config.sourcePorts(),
                config.burstPackets(),
                config.frameBytesMax(),
                config.receiveBufferBytes(),
                config.dscp(),
                config.options());
    }

    private static PacketPortProvider provider(PortConfig config) throws StartFailure {
        TreeSet<String> kinds = new TreeSet<>();
        for (PacketPortProvider provider : ServiceLoader.load(PacketPortProvider.class)) {
            if (provider.kind().equals(config.kind())) {
                return provider;
            }
            kinds.add(provider.kind());
        }
        throw new StartFailure("port " + config.name() + ": no provider of kind \"" + config.kind() + "\"; there are: "
                + String.join(", ", kinds));
    }

    /** The queues of one lane, in plane order. */
    List<Opened> ofLane(int lane) {
        return ports.stream().filter(each -> each.lane() == lane).toList();
    }

    void close() {
        ports.forEach(each -> each.port().close());
    }
}
