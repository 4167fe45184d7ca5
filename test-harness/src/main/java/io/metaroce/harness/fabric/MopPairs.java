// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.connection.BrokenRule;
import io.metaroce.transport.connection.ConnectionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Connects hosts of a fabric as the control channel would, with everything already negotiated. */
public final class MopPairs implements Transports {
    /**
     * What is the same for all connections of a run.
     *
     * @param paths over all planes
     * @param payloadBytes a power of two, 256 to 8192
     * @param messageWindow messages of a stream in progress, a power of two
     * @param windowPackets connection sequences in flight, a power of two, 1024 to 16384
     * @param initialWindowBytes first window
     * @param timeoutFloorNs least retransmission timeout above the round trip
     */
    public record Profile(
            int paths,
            int payloadBytes,
            int messageWindow,
            int windowPackets,
            long initialWindowBytes,
            long timeoutFloorNs) {}

    private static final long CONNECTION_TIMEOUT_NS = 5_000_000_000L;
    private static final int ACKNOWLEDGE_EVERY = 16;
    private static final int UDP_PORT = 4795;

    private final Fabric fabric;
    private final MopWorld world;
    private final Profile profile;
    private final Function<Host, CongestionControlFactory> congestion;
    private final List<CongestionControlFactory> ofHosts = new ArrayList<>();
    private final List<MopEndpoint> endpoints = new ArrayList<>();

    /**
     * @param congestion asked once for each host, in the order of the hosts: its connections share what it knows of its links
     */
    public MopPairs(Fabric fabric, Profile profile, Function<Host, CongestionControlFactory> congestion) {
        this.fabric = fabric;
        this.world = new MopWorld(fabric.pool());
        this.profile = profile;
        this.congestion = congestion;
    }

    public List<MopEndpoint> endpoints() {
        return endpoints;
    }

    /** Both ends begin to prove their paths at once. */
    @Override
    public MopEndpoint[] connect(Host a, EndpointListener ofA, Host b, EndpointListener ofB) {
        int idOfA = 0x4000_0000 | endpoints.size();
        int idOfB = idOfA + 1;
        int numberAtA = a.nextEndpoint();
        int numberAtB = b.nextEndpoint() + (a == b ? 1 : 0);
        MopEndpoint endA = open(a, idOfA, b, idOfB, numberAtB, ofA);
        MopEndpoint endB = open(b, idOfB, a, idOfA, numberAtA, ofB);
        return new MopEndpoint[] {endA, endB};
    }

    @Override
    public long retransmitted() {
        return sum(ConnectionCounter.TX_RETRANSMITTED_SACK)
                + sum(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                + sum(ConnectionCounter.TX_RETRANSMITTED_MOVED);
    }

    /** By the receivers' account: every duplicate that no link made was sent in vain. */
    @Override
    public long spurious() {
        return Math.max(0, sum(ConnectionCounter.RX_PATH_DUPLICATES) - fabric.copies());
    }

    @Override
    public long firstSent() {
        return sum(ConnectionCounter.TX_PAYLOAD_BYTES) / profile.payloadBytes();
    }

    @Override
    public long timeouts() {
        return sum(ConnectionCounter.ACK_TIMEOUTS);
    }

    @Override
    public double allowedBitsPerSecond(Endpoint endpoint, long roundTripPs) {
        MopEndpoint mop = (MopEndpoint) endpoint;
        long nowNs = fabric.nowPs() / 1_000;
        double window = mop.connection().windowBytes(nowNs) * 8e12 / roundTripPs;
        long hintMbps = mop.connection().hintMbps(nowNs);
        return hintMbps > 0 ? Math.min(window, hintMbps * 1e6) : window;
    }

    @Override
    public long arrivedBytes(Endpoint endpoint) {
        return ((MopEndpoint) endpoint).count(ConnectionCounter.RX_PAYLOAD_BYTES);
    }

    private CongestionControlFactory congestionOf(Host host) {
        while (ofHosts.size() <= host.id()) {
            ofHosts.add(congestion.apply(fabric.hosts().get(ofHosts.size())));
        }
        return ofHosts.get(host.id());
    }

    private long sum(ConnectionCounter counter) {
        long sum = 0;
        for (MopEndpoint endpoint : endpoints) {
            sum += endpoint.count(counter);
        }
        return sum;
    }

    private MopEndpoint open(Host at, int localId, Host peer, int remoteId, int peerNumber, EndpointListener listener) {
        int planes = at.uplinks().size();
        List<ConnectionSettings.Plane> planeList = new ArrayList<>();
        long[] addresses = new long[planes];
        for (int plane = 0; plane < planes; plane++) {
            addresses[plane] = MopWorld.address(peer.id(), plane);
            planeList.add(new ConnectionSettings.Plane(0, addresses[plane], 0, UDP_PORT, MopWorld.SOURCE_PORTS, 1));
        }
        ConnectionSettings settings = new ConnectionSettings(
                localId,
                remoteId,
                planeList,
                profile.paths(),
                profile.payloadBytes(),
                profile.messageWindow(),
                profile.windowPackets(),
                1,
                Long.MAX_VALUE / 4,
                new ConnectionSettings.Limits(
                        profile.timeoutFloorNs(),
                        CONNECTION_TIMEOUT_NS,
                        CONNECTION_TIMEOUT_NS,
                        ACKNOWLEDGE_EVERY,
                        profile.initialWindowBytes()),
                fabric.seedOf(0x3_0000_0000L + localId),
                BrokenRule.NONE);
        MopEndpoint endpoint = new MopEndpoint(
                world, new MopSettings(settings, congestionOf(at), profile.messageWindow(), true), addresses, listener);
        int number = at.add(endpoint, peer.id(), peerNumber);
        endpoints.add(endpoint);
        endpoint.connection().open(fabric.nowPs() / 1_000);
        at.wake(number);
        return endpoint;
    }
}
