// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import java.util.List;

/**
 * All that was decided when two hosts connected; constant for the connection's life.
 *
 * @param localId chosen by us, unpredictable; packets to us carry it
 * @param remoteId chosen by the peer; packets to the peer carry it
 * @param planes one entry a plane, in plane order, 1 to 8
 * @param paths paths over all planes, 1 to 255
 * @param payloadBytesMax largest payload worth trying, a power of two, 256 to 8192; probing may lower it
 * @param messageWindow messages of one stream in progress, a power of two, 2 to 4096, negotiated
 * @param connectionWindowPackets CSN window, a power of two, 1024 to 16384, negotiated
 * @param streamsMax streams either side may open, 1 to 65535
 * @param inFlightBytesMax half of the receive buffer that the peer announced
 * @param limits times and bounds that are ours alone
 * @param seed for choices that need no secrecy, such as which entropies to start with
 * @param broken a rule that a demonstration switches off; {@link BrokenRule#NONE} in service
 */
public record ConnectionSettings(
        int localId,
        int remoteId,
        List<Plane> planes,
        int paths,
        int payloadBytesMax,
        int messageWindow,
        int connectionWindowPackets,
        int streamsMax,
        long inFlightBytesMax,
        Limits limits,
        long seed,
        BrokenRule broken) {
    public ConnectionSettings {
        planes = List.copyOf(planes);
    }

    boolean isBroken(BrokenRule rule) {
        return broken == rule;
    }

    /**
     * How the peer is reached through one plane.
     *
     * @param addressHigh peer's address, see {@code io.metaroce.port.IpAddress}
     * @param addressLow peer's address
     * @param scope IPv6 scope id, else 0
     * @param udpPort the peer's lane port
     * @param sourcePorts entropies in our port's pool
     * @param burstPackets consecutive packets of one path that our port carries best
     */
    public record Plane(long addressHigh, long addressLow, int scope, int udpPort, int sourcePorts, int burstPackets) {}

    /**
     * Our own times and bounds.
     *
     * @param timeoutFloorNs least retransmission timeout above srtt: 100 us on DPDK and in simulation, 20 ms on sockets
     * @param connectionTimeoutNs silence of the peer on all paths after which the connection is lost
     * @param receiverNotReadyTimeoutNs how long an answered sender waits for a posted receive
     * @param acknowledgeEveryPackets latest packet of a path at which a receiver acknowledges
     * @param initialWindowBytes first window of the connection
     */
    public record Limits(
            long timeoutFloorNs,
            long connectionTimeoutNs,
            long receiverNotReadyTimeoutNs,
            int acknowledgeEveryPackets,
            long initialWindowBytes) {
        public static final Limits SOCKETS = new Limits(20_000_000, 5_000_000_000L, 5_000_000_000L, 16, 64 << 10);
        public static final Limits SIMULATED = new Limits(100_000, 5_000_000_000L, 5_000_000_000L, 16, 64 << 10);
    }
}
