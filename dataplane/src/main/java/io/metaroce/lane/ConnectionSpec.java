// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import java.util.List;

/**
 * What two hosts agreed on for a connection, in the words of the control channel. The lane adds what only it knows: the
 * source ports and the bursts of its own ports.
 *
 * @param localId chosen by us with {@link LaneControl#newConnectionId}; packets to us carry it
 * @param remoteId chosen by the peer
 * @param planes how the peer is reached, one entry for each of the lane's first planes, in plane order; those beyond are left out
 * @param paths over all planes, 1 to 255
 * @param payloadBytesMax largest payload worth probing, a power of two, 256 to 8192; see {@link LaneControl#payloadBytesMax}
 * @param messageWindow messages of one stream in progress, a power of two, 2 to 4096, as negotiated
 * @param connectionWindowPackets a power of two, 1024 to 16384, as negotiated
 * @param streamsMax streams, 1 to 65535
 * @param inFlightBytesMax half of the receive buffer that the peer announced for this connection
 * @param timing our own times
 * @param congestion which controller
 * @param incastDegree hosts that the peer expects to send to it at the same time, we included; 0 not known
 * @param seed for choices that need no secrecy
 * @param sabotage a rule that a demonstration switches off; {@link Sabotage#NONE} in service
 */
public record ConnectionSpec(
        int localId,
        int remoteId,
        List<Plane> planes,
        int paths,
        int payloadBytesMax,
        int messageWindow,
        int connectionWindowPackets,
        int streamsMax,
        long inFlightBytesMax,
        Timing timing,
        CongestionChoice congestion,
        int incastDegree,
        long seed,
        Sabotage sabotage) {
    public ConnectionSpec {
        planes = List.copyOf(planes);
    }

    /** A connection whose peer declared no incast degree. */
    public ConnectionSpec(
            int localId,
            int remoteId,
            List<Plane> planes,
            int paths,
            int payloadBytesMax,
            int messageWindow,
            int connectionWindowPackets,
            int streamsMax,
            long inFlightBytesMax,
            Timing timing,
            CongestionChoice congestion,
            long seed,
            Sabotage sabotage) {
        this(
                localId,
                remoteId,
                planes,
                paths,
                payloadBytesMax,
                messageWindow,
                connectionWindowPackets,
                streamsMax,
                inFlightBytesMax,
                timing,
                congestion,
                0,
                seed,
                sabotage);
    }

    /** A rule of the protocol to be left out, to show that the checks around it would notice. */
    public enum Sabotage {
        NONE,
        /** Contents that arrived before are placed again. */
        DEDUPE,
        /** Lost packets are never sent again. */
        REPAIR
    }

    /**
     * The peer's end of one plane.
     *
     * @param addressHigh see {@code io.metaroce.port.IpAddress}
     * @param addressLow see {@code io.metaroce.port.IpAddress}
     * @param scope IPv6 scope id of a link-local address, else 0
     * @param udpPort the peer's lane port
     */
    public record Plane(long addressHigh, long addressLow, int scope, int udpPort) {}

    /**
     * Our own times and bounds, which are not negotiated.
     *
     * @param timeoutFloorNs least retransmission timeout above the smoothed round-trip time
     * @param connectionTimeoutNs silence of the peer on all paths after which the connection is lost
     * @param receiverNotReadyTimeoutNs how long an answered sender waits for a posted receive
     * @param acknowledgeEveryPackets latest packet of a path at which we acknowledge
     * @param initialWindowBytes first congestion window of the connection
     */
    public record Timing(
            long timeoutFloorNs,
            long connectionTimeoutNs,
            long receiverNotReadyTimeoutNs,
            int acknowledgeEveryPackets,
            long initialWindowBytes) {
        public static final Timing SOCKETS = new Timing(20_000_000, 5_000_000_000L, 5_000_000_000L, 16, 64 << 10);
        public static final Timing SIMULATED = new Timing(100_000, 5_000_000_000L, 5_000_000_000L, 16, 64 << 10);
    }
}
