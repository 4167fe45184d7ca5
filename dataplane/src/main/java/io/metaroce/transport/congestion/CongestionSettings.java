// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

import java.util.List;

/**
 * What a host knows of its planes and of its own clumsiness; constant for a connection's life.
 *
 * @param planeRatesMbps speed of our own interface to each plane, in plane order; 0 where it is not known
 * @param incastDegree how many hosts the peer expects to send to it at the same time, we included; 0 not known
 * @param noiseNs delay that our own host or the peer's may cause: shorter ones are no sign of a queue
 * @param hintPeriodNs least time between two computations of hints: 5 us in simulation, 100 us on sockets
 */
public record CongestionSettings(List<Integer> planeRatesMbps, int incastDegree, long noiseNs, long hintPeriodNs) {
    public static final long SIMULATED_HINT_PERIOD_NS = 5_000;
    public static final long SOCKETS_HINT_PERIOD_NS = 100_000;
    public static final long SOCKETS_NOISE_NS = 10_000_000;

    public CongestionSettings {
        planeRatesMbps = List.copyOf(planeRatesMbps);
    }

    /** The same host, toward a peer that declared a degree. */
    public CongestionSettings withIncastDegree(int degree) {
        return new CongestionSettings(planeRatesMbps, degree, noiseNs, hintPeriodNs);
    }

    /** Where time is simulated or the port's lanes have processors of their own: nothing but queues delays a packet. */
    public static CongestionSettings simulated(List<Integer> planeRatesMbps, int incastDegree) {
        return new CongestionSettings(planeRatesMbps, incastDegree, 0, SIMULATED_HINT_PERIOD_NS);
    }

    /** Where a scheduler stands between the wire and us. */
    public static CongestionSettings sockets(List<Integer> planeRatesMbps, int incastDegree) {
        return new CongestionSettings(planeRatesMbps, incastDegree, SOCKETS_NOISE_NS, SOCKETS_HINT_PERIOD_NS);
    }
}
