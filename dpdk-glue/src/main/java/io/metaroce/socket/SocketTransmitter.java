// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;

/**
 * Sends bursts: every run of descriptors with the same source port is one sendmmsg on that port's socket. With segmentation
 * offload a run of packets of equal length to one destination is one message, which goes through the kernel once. The kernel
 * copies, so an accepted packet's buffer is free when the call returns.
 *
 * <pre>
 *   burst      A A A A A a B B a'          A: 4 KiB of one path, a: its last, shorter packet, B: another path
 *   calls      [ one message, 6 segments ][ one, 2 ][ one ]
 * </pre>
 */
final class SocketTransmitter {
    /** Packets of one message: what every kernel with segmentation takes. */
    static final int SEGMENTS_MAX = 64;

    /** Bytes of one message: IP's limit less its headers, the longest of them. */
    private static final int MESSAGE_BYTES_MAX = 65_000;

    /** Times one packet is offered again after an interruption or an error that an earlier packet left behind. */
    private static final int RETRIES_MAX = 2;

    private final LibC libC;
    private final SourcePorts sourcePorts;
    private final boolean isIpv6;
    private final boolean isDualStack;
    private final int frameBytesMax;
    private final PortCounters counters;
    private final MessageVector vector;
    /** Packets of the burst that are done with once message {@code i} is sent. */
    private final int[] endOf = new int[PacketBurst.CAPACITY_MAX];

    private int segmentsMax;
    /** Before this descriptor nothing is merged: the kernel refused that message as one. */
    private int singlyBefore;

    /**
     * @param segmentsMax packets of one message, 1 without segmentation offload, at most {@link #SEGMENTS_MAX}
     */
    SocketTransmitter(
            LibC libC,
            LocalAddress address,
            SourcePorts sourcePorts,
            int frameBytesMax,
            int segmentsMax,
            PortCounters counters) {
        this.libC = libC;
        this.sourcePorts = sourcePorts;
        this.isIpv6 = address.isIpv6();
        this.isDualStack = address.isIpv6() && address.isWildcard();
        this.frameBytesMax = frameBytesMax;
        this.segmentsMax = segmentsMax;
        this.counters = counters;
        this.vector = new MessageVector(PacketBurst.CAPACITY_MAX, isIpv6, MessageVector.SEND_CONTROL_BYTES);
    }

    /** From now on every packet is a message of its own. */
    void doNotSegment() {
        segmentsMax = 1;
    }

    boolean segments() {
        return segmentsMax > 1;
    }

    /** Packets of the burst that are done with: sent, or refused for good and counted. */
    int transmit(PacketBurst burst) {
        int size = burst.size();
        int done = 0;
        int retries = 0;
        singlyBefore = 0;
        while (done < size) {
            if (!canSend(burst, done)) {
                counters.add(PortCounter.TX_ERRORS, 1);
                done++;
                continue;
            }
            int sent = sendRun(burst, done);
            if (sent > 0) {
                done += sent;
                retries = 0;
                continue;
            }
            int errno = LibCLoader.lastError();
            if (Errno.isBusy(errno)) {
                break;
            }
            boolean isNotOfThisPacket = Errno.EINTR.is(errno) || Errno.ECONNREFUSED.is(errno);
            if (!isNotOfThisPacket && endOf[0] - done > 1) {
                onMessageRefused(errno);
            } else if (!isNotOfThisPacket || ++retries > RETRIES_MAX) {
                counters.add(PortCounter.TX_ERRORS, 1);
                done++;
                retries = 0;
            }
        }
        if (done < size) {
            counters.add(PortCounter.TX_BUSY, size - done);
        }
        return done;
    }

    /**
     * The first message was several packets, and the kernel did not want it: they go singly, so that only a packet that is
     * itself refused is lost. A device that cannot do it at all is not asked again.
     */
    private void onMessageRefused(int errno) {
        singlyBefore = endOf[0];
        if (Errno.EIO.is(errno)) {
            doNotSegment();
        }
    }

    private int sendRun(PacketBurst burst, int start) {
        int localPort = burst.localPort(start);
        int messages = 0;
        int end = start;
        while (end < burst.size() && burst.localPort(end) == localPort && canSend(burst, end)) {
            int first = end;
            end = endOfMessage(burst, first);
            for (int i = first; i < end; i++) {
                vector.data(i, burst.data(i), burst.length(i));
            }
            vector.gather(messages, first, end - first, burst.length(first));
            vector.destination(messages, burst, first);
            endOf[messages++] = end;
        }
        int sent = libC.sendmmsg(sourcePorts.fd(localPort), vector.address(0), messages, NativeConstants.MSG_DONTWAIT);
        if (sent <= 0) {
            return sent;
        }
        long bytes = 0;
        for (int i = start; i < endOf[sent - 1]; i++) {
            bytes += burst.length(i);
        }
        int packets = endOf[sent - 1] - start;
        counters.add(PortCounter.TX_PACKETS, packets);
        counters.add(PortCounter.TX_BYTES, bytes);
        countSuperPackets(start, sent);
        return packets;
    }

    private void countSuperPackets(int start, int messages) {
        int before = start;
        int superPackets = 0;
        for (int i = 0; i < messages; i++) {
            if (endOf[i] - before > 1) {
                superPackets++;
            }
            before = endOf[i];
        }
        if (superPackets > 0) {
            counters.add(PortCounter.TX_SUPER_PACKETS, superPackets);
        }
    }

    /** Where the message that begins with a descriptor ends: equal lengths, of which the last may be shorter. */
    private int endOfMessage(PacketBurst burst, int first) {
        int length = burst.length(first);
        if (segmentsMax == 1 || first < singlyBefore || length == 0) {
            return first + 1;
        }
        int bytes = length;
        int limit = Math.min(burst.size(), first + segmentsMax);
        int end = first + 1;
        while (end < limit && isOfMessage(burst, first, end) && bytes + burst.length(end) <= MESSAGE_BYTES_MAX) {
            bytes += burst.length(end);
            end++;
            if (burst.length(end - 1) < length) {
                break;
            }
        }
        return end;
    }

    private boolean isOfMessage(PacketBurst burst, int first, int i) {
        int length = burst.length(i);
        return length > 0
                && length <= burst.length(first)
                && burst.localPort(i) == burst.localPort(first)
                && burst.remotePort(i) == burst.remotePort(first)
                && burst.addressLow(i) == burst.addressLow(first)
                && burst.addressHigh(i) == burst.addressHigh(first)
                && burst.scope(i) == burst.scope(first);
    }

    /** Whether this port can carry a packet at all: its length, its address family, a source port of the pool. */
    private boolean canSend(PacketBurst burst, int i) {
        boolean isIpv4Packet = IpAddress.isIpv4(burst.addressHigh(i), burst.addressLow(i));
        return burst.length(i) <= frameBytesMax
                && (isDualStack || isIpv4Packet != isIpv6)
                && sourcePorts.fd(burst.localPort(i)) != SourcePorts.NO_SOCKET;
    }
}
