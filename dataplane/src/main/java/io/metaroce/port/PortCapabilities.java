// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/**
 * What an open port offers.
 *
 * @param framing what the bytes of a descriptor are
 * @param frameBytesMax largest packet in bytes, in the unit of the framing: UDP payload for DATAGRAM, frame for ETHERNET;
 *     never more than the link's MTU carries unfragmented
 * @param receiveBufferBytes bytes of full-sized packets the device holds for us before it drops, as obtained, not as asked
 * @param burstPackets consecutive packets of one path that the port carries best: 1 sprays every packet
 * @param sourcePortCount entropies in the pool
 * @param ecnSeen whether received ECN bits are proven to arrive here
 * @param description one line for people: device, address, what was probed
 */
public record PortCapabilities(
        Framing framing,
        int frameBytesMax,
        long receiveBufferBytes,
        int burstPackets,
        int sourcePortCount,
        boolean ecnSeen,
        String description) {}
