// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

import java.util.List;

/**
 * What a host's inbound rate is shared among: for each plane the max-min fair share of every sending host, which ACKs carry
 * back as hints (MOP-CC-22). One for all connections of a lane; single-threaded, like the lane.
 */
public final class InboundShares {
    /** Knows no rates and gives no hints. */
    public static final InboundShares NONE = new InboundShares(List.of(), 1, 0);

    private final InboundPlane[] planes;
    private final InboundPlane unknown;

    /**
     * @param planeRatesMbps inbound rate of each plane, in plane order; 0 where it is not known: no hints there
     * @param periodNs least time between two computations
     * @param noiseNs delays up to this are no sign of a queue
     */
    public InboundShares(List<Integer> planeRatesMbps, long periodNs, long noiseNs) {
        this.planes = new InboundPlane[planeRatesMbps.size()];
        for (int plane = 0; plane < planes.length; plane++) {
            planes[plane] = new InboundPlane(planeRatesMbps.get(plane), periodNs, noiseNs);
        }
        this.unknown = new InboundPlane(0, periodNs, noiseNs);
    }

    /** A connection's data through one plane; any thread, the rest is the lane's. */
    public InboundFlow newFlow(int plane, long hostHigh, long hostLow) {
        return new InboundFlow(plane < planes.length ? planes[plane] : unknown, hostHigh, hostLow);
    }
}
