// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.harness.check.OracleViolation;
import io.metaroce.memory.MemoryKey;
import io.metaroce.port.IpAddress;
import io.metaroce.transport.connection.BrokenRule;
import io.metaroce.transport.connection.ConnectionSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Two bare connections, a wire between them, and a workload, all drawn from one seed. A run is safe if no oracle objects
 * while faults happen, and alive if everything completes within a bound of virtual time after they stop.
 */
public final class ConnectionPair {
    private static final long FAULTS_NS = 20_000_000;
    private static final long LIVENESS_NS = 20_000_000_000L;
    private static final long STEP_MIN_NS = 500;
    private static final int STEPS_MAX = 2_000_000;
    private static final SimStream.SimMemory[] MEMORY = {
        new SimStream.SimMemory(MemoryKey.of(3, 0x1234)), new SimStream.SimMemory(MemoryKey.of(4, 0x4321))
    };

    private final SeededRandom random;
    private final FaultMix faults;
    private final SimWire wire;
    private final List<List<SimStream>> streams = new ArrayList<>();
    private final SimEndpoint[] endpoints = new SimEndpoint[2];
    private long nowNs = 1_000_000_000;

    /**
     * @param isClean whether the wire behaves
     * @param broken a rule to switch off, so that an oracle must object
     */
    public ConnectionPair(long seed, boolean isClean, BrokenRule broken) {
        random = new SeededRandom(seed);
        int paths = (int) random.between(1, 12);
        faults = isClean ? FaultMix.NONE : FaultMix.swarm(random, paths, nowNs + FAULTS_NS);
        long delayNs = random.between(1_000, 50_000);
        wire = new SimWire(random, faults, delayNs, random.between(0, 10 * delayNs));
        int streamCount = (int) random.between(1, 4);
        int doomedStream = random.below(4) == 0 ? random.below(streamCount) : -1;
        for (int side = 0; side < 2; side++) {
            MEMORY[side].reset();
            streams.add(newStreams(side, streamCount, side == 0 ? doomedStream : -1, doomedStream));
        }
        for (int i = 0; i < streamCount; i++) {
            streams.get(0).get(i).join(streams.get(1).get(i));
            streams.get(1).get(i).join(streams.get(0).get(i));
        }
        int messageWindow = 1 << random.between(1, 7);
        long inFlightBytesMax = random.between(20_000, 4_000_000);
        for (int side = 0; side < 2; side++) {
            ConnectionSettings settings = new ConnectionSettings(
                    id(side),
                    id(1 - side),
                    List.of(new ConnectionSettings.Plane(
                            0, address(1 - side), 0, 4795, SimWire.SOURCE_PORTS, (int) random.between(1, 16))),
                    paths,
                    1 << random.between(8, 13),
                    messageWindow,
                    1024,
                    16,
                    inFlightBytesMax,
                    ConnectionSettings.Limits.SIMULATED,
                    random.nextLong(),
                    broken);
            endpoints[side] = new SimEndpoint(side, wire, streams.get(side), MEMORY[side], settings);
            endpoints[side].connection().open(nowNs);
        }
    }

    static int id(int side) {
        return 0x1111_1111 * (side + 1);
    }

    static long address(int side) {
        return IpAddress.mapped(0x0a00_0001 + side);
    }

    public FaultMix faults() {
        return faults;
    }

    /** What the connections told their owners. */
    public String diary() {
        return endpoints[0].diary() + "; " + endpoints[1].diary();
    }

    /** Runs to the end; returns virtual ns taken. @throws OracleViolation when something that must not be is */
    public long run() {
        long startNs = nowNs;
        long boundNs = Math.max(startNs, faults.untilNs()) + LIVENESS_NS;
        int steps = 0;
        while (!isDone()) {
            if (nowNs > boundNs || ++steps > STEPS_MAX) {
                throw new OracleViolation("not alive: " + progress() + " after " + (nowNs - startNs) / 1_000 + " us");
            }
            boolean didWork = false;
            for (SimEndpoint endpoint : endpoints) {
                if (!endpoint.isPaused(nowNs)) {
                    didWork |= endpoint.turn(nowNs);
                }
                maybePause(endpoint);
            }
            advance(didWork);
        }
        drain();
        for (List<SimStream> side : streams) {
            side.forEach(stream -> stream.outgoing().onEnd());
        }
        if (!wire.isConserved()) {
            throw new OracleViolation("packets appeared or disappeared");
        }
        return nowNs - startNs;
    }

    /** A counter, summed over both ends. */
    public long count(ConnectionCounter counter) {
        return endpoints[0].count(counter) + endpoints[1].count(counter);
    }

    private List<SimStream> newStreams(int side, int count, int doomed, int silent) {
        List<SimStream> created = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // A stream that fails takes both directions with it: the other end sends nothing there.
            int messages = side == 1 && i == silent ? 0 : (int) random.between(1, 25);
            int doomedAt = i == doomed ? random.below(messages) : -1;
            created.add(new SimStream(random, MEMORY[side], "side " + side + " stream " + i, messages, doomedAt));
        }
        return created;
    }

    /** Late packets must find nothing to spoil. */
    private void drain() {
        while (wire.nextArrivalNs() != Long.MAX_VALUE) {
            SimWire.Flight flight = wire.land();
            endpoints[flight.to()].onFlight(flight, nowNs);
            wire.giveBack(flight);
        }
    }

    private void advance(boolean didWork) {
        long next = Math.min(endpoints[0].nextDeadlineNs(), endpoints[1].nextDeadlineNs());
        next = Math.min(next, wire.nextArrivalNs());
        boolean hasEvent = next != Long.MAX_VALUE && !didWork;
        nowNs = hasEvent ? Math.max(next, nowNs + STEP_MIN_NS) : nowNs + STEP_MIN_NS;
        while (wire.nextArrivalNs() <= nowNs) {
            SimWire.Flight flight = wire.land();
            endpoints[flight.to()].onFlight(flight, nowNs);
            wire.giveBack(flight);
        }
    }

    private void maybePause(SimEndpoint endpoint) {
        if (faults.pause() > 0 && nowNs < faults.untilNs() && random.hits(2_000) && !endpoint.isPaused(nowNs)) {
            endpoint.pause(nowNs, nowNs + random.between(1_000, faults.pause()));
        }
    }

    private boolean isDone() {
        for (List<SimStream> side : streams) {
            for (SimStream stream : side) {
                if (!stream.isDone()) {
                    return false;
                }
            }
        }
        return true;
    }

    private String progress() {
        StringBuilder text = new StringBuilder();
        for (List<SimStream> side : streams) {
            for (SimStream stream : side) {
                text.append(stream.outgoing().sendCompletions())
                        .append('/')
                        .append(stream.outgoing().posted())
                        .append(' ');
            }
        }
        return text.append("of each stream's messages").toString();
    }
}
