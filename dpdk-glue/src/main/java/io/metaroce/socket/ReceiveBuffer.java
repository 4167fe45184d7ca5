// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PortCapabilities;

/**
 * What a socket's receive buffer really holds. The kernel charges a packet not by its length but by the memory behind it:
 * a power of two plus the packet's descriptor. Measured on Linux 6.18, x86-64, loopback and veth alike (IPv6: the steps
 * come 13 bytes earlier):
 *
 * <pre>
 *   UDP payload from    0   198   646   1670   3718   7814 bytes
 *   charged           832  1280  2304   4352   8448  16640 bytes        charge / 2 - length is 519 at most
 * </pre>
 *
 * So {@code charge <= 2 x (length + 519)}, which {@link PortCapabilities#PACKET_OVERHEAD_BYTES} covers with some to spare.
 * A reading socket gives the memory back in lumps of up to a quarter of the buffer; with a sliding window the first drop
 * came at 0.75 to 0.80 of what fits an idle socket (64 B: 386 of 512, 4160 B: 39 of 50, 8256 B: 20 of 25). Hence three
 * quarters count. Drivers of real devices may charge more for a packet (whole pages); the sender's rule to fill only
 * half of what is announced is the reserve for that.
 */
final class ReceiveBuffer {
    private static final long CHARGE_PER_BYTE = 2;

    private ReceiveBuffer() {}

    /**
     * Bytes to announce, in the unit of {@link PortCapabilities#bufferedBytes}.
     *
     * @param kernelBytes SO_RCVBUF as read back
     */
    static long announcedBytes(int kernelBytes) {
        return (kernelBytes - kernelBytes / 4) / CHARGE_PER_BYTE;
    }
}
