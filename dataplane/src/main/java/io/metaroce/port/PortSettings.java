// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

import java.util.Map;

/**
 * How to open a port.
 *
 * @param kind which provider: {@code socket}, later {@code dpdk}
 * @param name the operator's name for it, used in metrics and messages
 * @param queue queue of the device, 0 for the first lane
 * @param localAddress address or interface to be bound: IPv4, IPv6 (with %scope), as text
 * @param udpPort UDP port this queue receives at, 1 to 65535, 0 lets the system choose
 * @param sourcePorts entropies wanted in the pool, 1 to 1024
 * @param burstPackets descriptors in a burst, 1 to {@link PacketBurst#CAPACITY_MAX}
 * @param frameBytesMax upper bound on a packet in bytes of UDP payload
 * @param receiveBufferBytes receive buffer to ask the device for, in bytes
 * @param dscp differentiated services codepoint of every packet, 0 to 63
 * @param options further words for the provider, opaque to everyone else
 */
public record PortSettings(
        String kind,
        String name,
        int queue,
        String localAddress,
        int udpPort,
        int sourcePorts,
        int burstPackets,
        int frameBytesMax,
        long receiveBufferBytes,
        int dscp,
        Map<String, String> options) {
    public PortSettings {
        options = Map.copyOf(options);
    }
}
