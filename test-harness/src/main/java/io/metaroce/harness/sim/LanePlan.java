// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.lane.CongestionChoice;
import io.metaroce.lane.ConnectionSpec;
import io.metaroce.lane.LaneSettings;
import io.metaroce.port.PortCapabilities;
import java.util.ArrayList;
import java.util.List;

/** What a seed draws for a run of lanes before anything happens. */
final class LanePlan {
    static final long START_NS = 1_000_000_000;
    private static final long FAULTS_NS = 20_000_000;
    /** Headers, trailer and the largest operation header, rounded up. */
    private static final int OVERHEAD_BYTES = 128;
    /** The smallest packet as it is counted in a receive buffer. */
    private static final long SMALL_PACKET_BYTES = PortCapabilities.bufferedBytes(36);

    private static final long STALL_BOUND_NS = 1_000_000;
    private static final long CONNECTION_TIMEOUT_NS = 400_000_000;
    private static final long NOT_READY_TIMEOUT_NS = 200_000_000;

    final LaneRun.Mood mood;
    final int hosts;
    final int planes;
    final int paths;
    final int payloadBytes;
    final int messagesMax;
    final long receiveBufferBytes;
    final boolean detectsStalls;
    final FaultMix faults;
    final long stallNs;
    final int disturbances;
    /** The two hosts of each connection. */
    final List<int[]> pairs = new ArrayList<>();

    private final long delayNs;
    private final long skewNs;

    LanePlan(SeededRandom random, LaneRun.Mood mood) {
        this.mood = mood;
        hosts = (int) random.between(2, 3);
        planes = (int) random.between(1, 3);
        paths = (int) random.between(planes, 8);
        payloadBytes = 1 << random.between(8, 13);
        messagesMax = (int) random.between(2, 14);
        receiveBufferBytes = random.between(150_000, 400_000);
        detectsStalls = mood == LaneRun.Mood.STALLS || random.below(3) == 0;
        faults = switch (mood) {
            case CLEAN -> FaultMix.NONE;
            case STALLS -> new FaultMix(0, 0, 0, 0, 0, -1, 0, START_NS + FAULTS_NS);
            case SWARM -> FaultMix.swarm(random, paths, START_NS + FAULTS_NS);
        };
        stallNs = switch (mood) {
            case CLEAN -> 0;
            case STALLS -> 100_000_000;
            case SWARM -> faults.pause();
        };
        disturbances = mood == LaneRun.Mood.SWARM ? random.below(4) : 0;
        delayNs = random.between(1_000, 50_000);
        skewNs = random.between(0, 5 * delayNs);
        int connections = (int) random.between(1, 3);
        for (int i = 0; i < connections; i++) {
            int left = random.below(hosts);
            pairs.add(new int[] {left, (left + 1 + random.below(hosts - 1)) % hosts});
        }
    }

    SimWire newWire(SeededRandom random) {
        return new SimWire(hosts * planes, random, faults, delayNs, skewNs);
    }

    /** A pool that holds a receive buffer full of the smallest packets, and what a lane keeps in its hands; or fewer. */
    SimPort.Shape shape(SeededRandom random) {
        int plenty = (int) (receiveBufferBytes / SMALL_PACKET_BYTES) + 128;
        boolean isScarce = mood == LaneRun.Mood.SWARM && random.below(4) == 0;
        return new SimPort.Shape(
                isScarce ? (int) random.between(100, 200) : plenty,
                payloadBytes + OVERHEAD_BYTES,
                receiveBufferBytes,
                (int) random.between(1, 16),
                mood == LaneRun.Mood.SWARM ? random.below(100_000) : 0);
    }

    LaneSettings laneSettings(SeededRandom random) {
        return new LaneSettings(
                8,
                (int) random.between(1, 32),
                (int) random.between(1, 4),
                (int) random.between(1, 256),
                (int) random.between(1, 64),
                (int) random.between(1, 8),
                1 << random.between(0, 4),
                1 << random.between(0, 6),
                detectsStalls ? STALL_BOUND_NS : Long.MAX_VALUE,
                60_000_000_000L,
                (int) random.between(1, 8));
    }

    /** What the two ends of a connection agreed on. */
    record Agreement(LanePlan plan, int paths, int messageWindow, int streams, long inFlightBytesMax) {
        /** A breach of it. */
        Agreement widened() {
            return new Agreement(plan, paths, 8 * messageWindow, streams, inFlightBytesMax);
        }

        ConnectionSpec spec(
                int localId,
                int remoteId,
                List<ConnectionSpec.Plane> planes,
                ConnectionSpec.Sabotage sabotage,
                long seed) {
            return new ConnectionSpec(
                    localId,
                    remoteId,
                    planes,
                    paths,
                    8192,
                    messageWindow,
                    1024,
                    streams,
                    inFlightBytesMax,
                    new ConnectionSpec.Timing(
                            plan.detectsStalls ? 2 * STALL_BOUND_NS : 100_000,
                            CONNECTION_TIMEOUT_NS,
                            NOT_READY_TIMEOUT_NS,
                            16,
                            64 << 10),
                    CongestionChoice.ECN_AIMD,
                    seed,
                    sabotage);
        }
    }

    /**
     * @param sharers connections that share the smaller receive buffer of the two hosts, at most
     */
    Agreement agreement(SeededRandom random, int sharers) {
        return new Agreement(
                this, paths, 1 << random.between(1, 7), (int) random.between(1, 3), receiveBufferBytes / 2 / sharers);
    }

    List<ConnectionSpec.Plane> planesOf(int host) {
        List<ConnectionSpec.Plane> ways = new ArrayList<>();
        for (int plane = 0; plane < planes; plane++) {
            ways.add(new ConnectionSpec.Plane(0, SimPort.addressOf(host * planes + plane), 0, SimPort.UDP_PORT));
        }
        return ways;
    }

    /** A plane that flaps is no more than a fault where there is another. */
    boolean permits(Disturbance.Kind kind) {
        return kind != Disturbance.Kind.LANE_STALLS || detectsStalls || faults.pause() > 0;
    }

    @Override
    public String toString() {
        return hosts + " hosts, " + planes + " planes, " + paths + " paths, " + pairs.size() + " connections, payload "
                + payloadBytes + ", delay " + delayNs + " ns, skew " + skewNs + " ns"
                + (detectsStalls ? ", stalls are detected, " : ", ") + faults;
    }
}
