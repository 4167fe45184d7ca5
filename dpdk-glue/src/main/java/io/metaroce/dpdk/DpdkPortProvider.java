// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import io.metaroce.port.Framing;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PacketPortProvider;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Opens ports of kind {@code dpdk}. */
public final class DpdkPortProvider implements PacketPortProvider {
    /** Where MOP is received if nobody says otherwise. */
    private static final int UDP_PORT_DEFAULT = 4_795;

    private static final int IPV4_UDP_BYTES = 20 + 8;
    private static final int IPV6_UDP_BYTES = 40 + 8;
    /** Shortest packet of the profile in bytes; a queue holds as many descriptors whatever they carry. */
    private static final int PACKET_BYTES_MIN = 12;

    @Override
    public String kind() {
        return "dpdk";
    }

    @Override
    public @Nullable String missing() {
        return ShimLoader.failure();
    }

    @Override
    public PacketPort open(PortSettings settings) {
        DpdkOptions options = DpdkOptions.of(settings);
        Neighbours neighbours = Neighbours.parse(options.neighbours(), settings.name());
        if (settings.queue() != 0) {
            throw new PortException("port " + settings.name() + ": a dpdk port serves one lane; set lanes.count to 1");
        }
        byte[] address = address(settings);
        DpdkDevice device = DpdkDevice.open(settings, options);
        int ipHeaders = address.length == 4 ? IPV4_UDP_BYTES : IPV6_UDP_BYTES;
        PortCapabilities capabilities = new PortCapabilities(
                Framing.DATAGRAM,
                Math.min(settings.frameBytesMax(), device.mtu() - ipHeaders),
                options.descriptors() * PortCapabilities.bufferedBytes(PACKET_BYTES_MIN),
                1,
                settings.sourcePorts(),
                true,
                options.deviceName() + " through DPDK, MAC " + text(device.mac()) + ", MTU " + device.mtu() + ", "
                        + options.descriptors() + " descriptors, " + settings.sourcePorts() + " source ports");
        int udpPort = settings.udpPort() == 0 ? UDP_PORT_DEFAULT : settings.udpPort();
        return new DpdkPort(device, capabilities, address, udpPort, settings.dscp(), neighbours);
    }

    private static byte[] address(PortSettings settings) {
        try {
            return InetAddress.getByName(settings.localAddress()).getAddress();
        } catch (UnknownHostException e) {
            throw new PortException(
                    "port " + settings.name() + ": '" + settings.localAddress() + "' is no address of its own", e);
        }
    }

    private static String text(long mac) {
        StringBuilder text = new StringBuilder();
        for (int shift = 40; shift >= 0; shift -= 8) {
            text.append(text.length() == 0 ? "" : ":").append(String.format("%02x", mac >>> shift & 0xff));
        }
        return text.toString();
    }
}
