// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/**
 * What an open port offers.
 *
 * @param framing what the bytes of a descriptor are
 * @param frameBytesMax largest packet in bytes, in the unit of the framing: UDP payload for DATAGRAM, frame for ETHERNET;
 *     never more than the link's MTU carries unfragmented
 * @param receiveBufferBytes bytes the device holds for us before it drops, as obtained, not as asked, each packet counted
 *     as {@link #bufferedBytes} says; a peer that counts the same way and stays below it loses nothing here
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
        String description) {

    /**
     * What a waiting packet costs in the receive buffer beyond its own bytes. Kernels and devices keep a packet in a
     * block of their own, so that a thousand small ones fill a buffer long before their bytes do. Measured for sockets
     * (see the socket port): 519 in the worst case. Senders charge the same (MOP-CC-2).
     */
    public static final int PACKET_OVERHEAD_BYTES = 768;

    /** What a packet of this length counts against {@link #receiveBufferBytes}. */
    public static long bufferedBytes(int length) {
        return (long) length + PACKET_OVERHEAD_BYTES;
    }
}
