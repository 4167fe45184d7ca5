// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.baseline;

import io.metaroce.harness.fabric.Endpoint;
import io.metaroce.harness.fabric.EndpointListener;
import io.metaroce.harness.fabric.Fabric;
import io.metaroce.harness.fabric.Host;
import io.metaroce.harness.fabric.Transports;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Connects hosts by RoCEv2; the source port, and so the way, is drawn once for each queue pair. */
public final class RocePairs implements Transports {
    private static final int SOURCE_PORTS = 16_384;

    private final Fabric fabric;
    private final RoceSettings settings;
    private final List<RoceEndpoint> endpoints = new ArrayList<>();

    public RocePairs(Fabric fabric, RoceSettings settings) {
        this.fabric = fabric;
        this.settings = settings;
    }

    @Override
    public Endpoint[] connect(Host a, EndpointListener ofA, Host b, EndpointListener ofB) {
        int numberAtA = a.nextEndpoint();
        int numberAtB = b.nextEndpoint();
        RoceEndpoint endA = open(ofA);
        RoceEndpoint endB = open(ofB);
        a.add(endA, b.id(), numberAtB);
        b.add(endB, a.id(), numberAtA);
        return new Endpoint[] {endA, endB};
    }

    @Override
    public long retransmitted() {
        return sum(endpoint -> endpoint.retransmitted);
    }

    @Override
    public long spurious() {
        return sum(endpoint -> endpoint.spurious);
    }

    @Override
    public long firstSent() {
        return sum(endpoint -> endpoint.firstSent);
    }

    @Override
    public long timeouts() {
        return sum(endpoint -> endpoint.timeouts);
    }

    @Override
    public double allowedBitsPerSecond(Endpoint endpoint, long roundTripPs) {
        return ((RoceEndpoint) endpoint).rate();
    }

    @Override
    public long arrivedBytes(Endpoint endpoint) {
        return ((RoceEndpoint) endpoint).arrivedBytes;
    }

    private RoceEndpoint open(EndpointListener listener) {
        int sourcePort = (int) Long.remainderUnsigned(fabric.seedOf(0xA_0000_0000L + endpoints.size()), SOURCE_PORTS);
        RoceEndpoint endpoint = new RoceEndpoint(settings, fabric.pool(), listener, sourcePort);
        endpoints.add(endpoint);
        return endpoint;
    }

    private long sum(ToLongFunction<RoceEndpoint> what) {
        return endpoints.stream().mapToLong(what).sum();
    }
}
