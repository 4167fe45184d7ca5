// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;

/**
 * Sends bursts: every run of descriptors with the same source port is one sendmmsg on that port's socket. The kernel copies,
 * so an accepted packet's buffer is free when the call returns.
 */
final class SocketTransmitter {
    /** Times one packet is offered again after an interruption or an error that an earlier packet left behind. */
    private static final int RETRIES_MAX = 2;

    private final LibC libC;
    private final SourcePorts sourcePorts;
    private final boolean isIpv6;
    private final boolean isDualStack;
    private final int frameBytesMax;
    private final PortCounters counters;
    private final MessageVector vector;

    SocketTransmitter(
            LibC libC, LocalAddress address, SourcePorts sourcePorts, int frameBytesMax, PortCounters counters) {
        this.libC = libC;
        this.sourcePorts = sourcePorts;
        this.isIpv6 = address.isIpv6();
        this.isDualStack = address.isIpv6() && address.isWildcard();
        this.frameBytesMax = frameBytesMax;
        this.counters = counters;
        this.vector = new MessageVector(PacketBurst.CAPACITY_MAX, isIpv6, 0);
    }

    /** Packets of the burst that are done with: sent, or refused for good and counted. */
    int transmit(PacketBurst burst) {
        int size = burst.size();
        int done = 0;
        int retries = 0;
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
            if (!isNotOfThisPacket || ++retries > RETRIES_MAX) {
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

    private int sendRun(PacketBurst burst, int start) {
        int localPort = burst.localPort(start);
        int end = start;
        while (end < burst.size() && burst.localPort(end) == localPort && canSend(burst, end)) {
            vector.data(end, burst.data(end), burst.length(end));
            vector.destination(end, burst, end);
            end++;
        }
        int sent = libC.sendmmsg(
                sourcePorts.fd(localPort), vector.address(start), end - start, NativeConstants.MSG_DONTWAIT);
        if (sent > 0) {
            long bytes = 0;
            for (int i = start; i < start + sent; i++) {
                bytes += burst.length(i);
            }
            counters.add(PortCounter.TX_PACKETS, sent);
            counters.add(PortCounter.TX_BYTES, bytes);
        }
        return sent;
    }

    /** Whether this port can carry a packet at all: its length, its address family, a source port of the pool. */
    private boolean canSend(PacketBurst burst, int i) {
        boolean isIpv4Packet = IpAddress.isIpv4(burst.addressHigh(i), burst.addressLow(i));
        return burst.length(i) <= frameBytesMax
                && (isDualStack || isIpv4Packet != isIpv6)
                && sourcePorts.fd(burst.localPort(i)) != SourcePorts.NO_SOCKET;
    }
}
