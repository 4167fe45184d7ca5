// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.harness.check.OracleViolation;
import io.metaroce.lane.ConnectionSpec;
import io.metaroce.lane.Refusal;
import io.metaroce.port.PortCounter;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/**
 * Two or three hosts with whole lanes, connections and queue pairs between them, and a workload, all drawn from one seed. A
 * run is safe if no oracle objects while faults and disturbances happen, alive if everything ends within a bound of virtual
 * time after they stop, and clean if every buffer, registration, ring and connection has come back in the end.
 */
public final class LaneRun {
    /** A fault that is planted so that an oracle must object. */
    public enum Planted {
        NONE,
        /** Lost packets are never sent again. */
        RETRANSMISSION,
        /** Contents that arrived before are placed again. */
        DEDUPE,
        /** One end uses a wider message window than was negotiated. */
        BOUND,
        /** One completion never reaches the application. */
        COMPLETION,
        /** One buffer of a burst is not given back. */
        BUFFER
    }

    /** What may happen. */
    public enum Mood {
        /** Nothing: no retransmission, no timeout and no duplicate are permitted. */
        CLEAN,
        /** Lanes stand still, and nothing else goes wrong. */
        STALLS,
        /** Anything. */
        SWARM
    }

    private static final long LIVENESS_NS = 4_000_000_000L;
    private static final int TURNS_MAX = 300_000;
    private static final GuardedArena[] ARENAS = {new GuardedArena(), new GuardedArena(), new GuardedArena()};

    private final SeededRandom random;
    private final LanePlan plan;
    private final Planted planted;
    private final SimWire wire;
    private final LaneNet net;
    private final List<SimDevice> devices = new ArrayList<>();
    private final List<Context> contexts = new ArrayList<>();
    private final List<List<CompletionQueue>> queues = new ArrayList<>();
    private final List<SimFlow> flows = new ArrayList<>();
    private final List<ConnectionCounters> counters = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();
    private final WorkCompletion completion = new WorkCompletion();
    private final List<String> done = new ArrayList<>();
    private int completionsTaken;

    /** A connection's two ends: {host, local id}. */
    private final List<int[][]> connections = new ArrayList<>();

    public LaneRun(long seed, Mood mood, Planted planted) {
        this.random = new SeededRandom(seed);
        this.plan = new LanePlan(random, mood);
        this.planted = planted;
        this.wire = plan.newWire(random);
        this.net = new LaneNet(wire, LanePlan.START_NS, this::pollCompletions);
        for (int number = 0; number < plan.hosts; number++) {
            SimPort[] ports = new SimPort[plan.planes];
            for (int plane = 0; plane < plan.planes; plane++) {
                ports[plane] = new SimPort(wire, random, number * plan.planes + plane, plan.shape(random));
            }
            if (planted == Planted.BUFFER && number == 0) {
                ports[0].forgetBufferAfter(random.between(1, 20));
            }
            SimHost host = new SimHost(net, number, ports, plan.laneSettings(random));
            net.add(host);
            ARENAS[number].reset();
            SimDevice device = new SimDevice(net, host, ARENAS[number], random);
            devices.add(device);
            contexts.add(Context.open(device));
            queues.add(new ArrayList<>());
        }
    }

    /** Sets up, runs, tears down, checks. @throws OracleViolation when something that must not be is */
    public void run() {
        try {
            setUp();
            carry();
            tearDown();
            check();
        } finally {
            for (SimHost host : net.hosts()) {
                for (SimPort port : host.ports) {
                    port.dispose();
                }
            }
        }
    }

    /** What was drawn and what happened, for the report of a failed run. */
    public String diary() {
        StringBuilder text = new StringBuilder(plan.toString())
                .append("; done ")
                .append(done)
                .append(", to come ")
                .append(disturbances);
        for (SimHost host : net.hosts()) {
            text.append("; ").append(host.diary());
        }
        return text.toString();
    }

    /** A counter, summed over all ends of connections. */
    public long count(ConnectionCounter counter) {
        long sum = 0;
        for (ConnectionCounters each : counters) {
            sum += each.get(counter);
        }
        return sum;
    }

    /** Virtual time that has passed, in nanoseconds. */
    public long elapsedNs() {
        return net.nowNs() - LanePlan.START_NS;
    }

    private void setUp() {
        int[] onHost = new int[plan.hosts];
        for (int[] pair : plan.pairs) {
            onHost[pair[0]]++;
            onHost[pair[1]]++;
        }
        for (int number = 0; number < plan.pairs.size(); number++) {
            int[] pair = plan.pairs.get(number);
            int[][] ends = {{pair[0], 1_000 + 2 * number}, {pair[1], 1_001 + 2 * number}};
            connections.add(ends);
            LanePlan.Agreement agreement = plan.agreement(random, onHost[pair[0]] + onHost[pair[1]]);
            for (int side = 0; side < 2; side++) {
                boolean isBroken = planted == Planted.BOUND && side == 0;
                connect(ends[side], ends[1 - side], isBroken ? agreement.widened() : agreement);
            }
            openStreams(number, agreement);
        }
        for (int i = 0; i < plan.disturbances; i++) {
            disturbances.add(Disturbance.drawn(random, flows.size()));
        }
        disturbances.removeIf(each -> !plan.permits(each.kind()));
    }

    private void connect(int[] from, int[] to, LanePlan.Agreement agreement) {
        ConnectionCounters counter = ConnectionCounters.inProcess(agreement.paths());
        counters.add(counter);
        ConnectionSpec spec = agreement.spec(from[1], to[1], plan.planesOf(to[0]), sabotage(), random.nextLong());
        Refusal refusal = host(from[0]).carryOut((control, id) -> control.addConnection(id, spec, counter));
        require(refusal == Refusal.NONE, "a connection was refused: " + refusal);
    }

    private void openStreams(int connection, LanePlan.Agreement agreement) {
        int streams = agreement.streams();
        int doomed = plan.mood == Mood.SWARM && random.below(4) == 0 ? random.below(streams) : -1;
        int[][] ends = connections.get(connection);
        for (int stream = 0; stream < streams; stream++) {
            SimFlow[] pair = new SimFlow[2];
            for (int side = 0; side < 2; side++) {
                int messages = side == 1 && stream == doomed ? 0 : (int) random.between(1, plan.messagesMax);
                int doomedAt = side == 0 && stream == doomed ? random.below(messages) : -1;
                pair[side] = newFlow(ends[side][0], connection, messages, doomedAt);
            }
            pair[0].join(pair[1]);
            pair[1].join(pair[0]);
            // As on the control channel: both ends know the stream before either is told that it is open.
            for (int side = 0; side < 2; side++) {
                SimDevice device = devices.get(ends[side][0]);
                require(device.connect(pair[side].queuePair(), ends[side][1], stream), "a stream was refused");
            }
        }
    }

    private SimFlow newFlow(int host, int connection, int messages, int doomedAt) {
        SimFlow.Task task = new SimFlow.Task(host, connection, messages, doomedAt);
        CompletionQueue[] both = {queue(host), queue(host)};
        SimFlow flow = new SimFlow(random, contexts.get(host), devices.get(host), task, both);
        flows.add(flow);
        return flow;
    }

    /** A completion queue, mostly a new one, sometimes one that others complete into as well. */
    private CompletionQueue queue(int host) {
        List<CompletionQueue> those = queues.get(host);
        if (those.isEmpty() || random.below(3) > 0) {
            those.add(contexts.get(host).createCompletionQueue(1 << random.between(0, 6)));
        }
        return those.get(those.size() - 1);
    }

    private void carry() {
        long boundNs = Math.max(net.nowNs(), plan.faults.untilNs()) + LIVENESS_NS;
        int turns = 0;
        while (!isDone()) {
            if (net.nowNs() > boundNs || ++turns > TURNS_MAX) {
                throw new OracleViolation("not alive: " + progress());
            }
            disturb();
            maybeStall();
            boolean didWork = false;
            for (SimFlow flow : flows) {
                didWork |= flow.doWork(net.nowNs());
            }
            net.turn(didWork);
        }
    }

    private boolean isDone() {
        for (SimFlow flow : flows) {
            if (!flow.isDone()) {
                return false;
            }
        }
        return true;
    }

    private String progress() {
        StringBuilder text = new StringBuilder();
        for (SimFlow flow : flows) {
            text.append(flow.outgoing.sendCompletions())
                    .append('/')
                    .append(flow.outgoing.posted())
                    .append(flow.isDone() ? " " : "! ");
        }
        return text.append("after ").append(elapsedNs() / 1_000).append(" us").toString();
    }

    private void disturb() {
        for (int i = 0; i < disturbances.size(); i++) {
            Disturbance each = disturbances.get(i);
            SimFlow victim = flows.get(each.victim());
            if (victim.outgoing.sendCompletions() >= each.afterCompletions()) {
                disturbances.remove(i--);
                done.add(each.kind() + " of flow " + each.victim() + " at " + elapsedNs() / 1_000 + " us");
                new LaneDisturber(net, flows, connections).carryOut(each);
            }
        }
    }

    private void maybeStall() {
        if (plan.stallNs > 0 && net.nowNs() < plan.faults.untilNs() && random.hits(2_000)) {
            SimHost host = host(plan.mood == Mood.STALLS ? 0 : random.below(plan.hosts));
            if (!host.isPaused(net.nowNs())) {
                host.pause(net.nowNs() + random.between(1_000, plan.stallNs));
            }
        }
    }

    private void pollCompletions() {
        for (int host = 0; host < queues.size(); host++) {
            for (CompletionQueue queue : queues.get(host)) {
                while (random.hits(900_000) && queue.poll(completion)) {
                    hand(host);
                }
            }
        }
    }

    private void hand(int host) {
        if (planted == Planted.COMPLETION && ++completionsTaken == 5) {
            return;
        }
        for (SimFlow flow : flows) {
            if (flow.host == host && flow.queuePair().number() == completion.queuePairNumber()) {
                flow.onCompletion(completion);
                return;
            }
        }
        throw new OracleViolation("a completion of a queue pair that is not there");
    }

    private void tearDown() {
        net.wakeUp(plan.faults.untilNs());
        net.waitUntil("the end of all disturbances", () -> net.nowNs() >= plan.faults.untilNs());
        for (SimFlow flow : flows) {
            if (host(flow.host).fate() != SimHost.Fate.DEAD) {
                flow.close();
            }
        }
        for (int host = 0; host < queues.size(); host++) {
            for (CompletionQueue queue : queues.get(host)) {
                while (queue.poll(completion)) {
                    hand(host);
                }
            }
        }
        flows.forEach(SimFlow::checkClosed);
        flows.forEach(SimFlow::checkBytes);
        LaneDisturber closer = new LaneDisturber(net, flows, connections);
        for (int number = 0; number < connections.size(); number++) {
            for (int[] end : connections.get(number)) {
                closer.closeConnection(end);
            }
        }
        for (SimHost host : net.hosts()) {
            if (host.fate() != SimHost.Fate.DEAD) {
                release(host);
            }
        }
    }

    private void release(SimHost host) {
        for (SimFlow flow : flows) {
            if (flow.host == host.number) {
                flow.deregisterAll();
            }
        }
        queues.get(host.number).forEach(CompletionQueue::close);
        contexts.get(host.number).close();
        require(devices.get(host.number).isClean(), "host " + host.number + " kept something of verbs");
        if (host.runs()) {
            host.stop(net.nowNs());
        }
    }

    private void check() {
        net.land(Long.MAX_VALUE);
        require(wire.isConserved(), "packets appeared or disappeared");
        for (SimHost host : net.hosts()) {
            if (host.fate() != SimHost.Fate.DEAD) {
                host.checkEnd();
                ARENAS[host.number].check("host " + host.number);
            }
            if (plan.mood == Mood.CLEAN) {
                for (SimPort port : host.ports) {
                    require(port.counter(PortCounter.RX_MISSED) == 0, "a receive buffer was overrun");
                    require(port.counter(PortCounter.RX_NO_BUFFER) == 0, "a pool ran out");
                }
            }
        }
    }

    private ConnectionSpec.Sabotage sabotage() {
        return switch (planted) {
            case RETRANSMISSION -> ConnectionSpec.Sabotage.REPAIR;
            case DEDUPE -> ConnectionSpec.Sabotage.DEDUPE;
            default -> ConnectionSpec.Sabotage.NONE;
        };
    }

    private SimHost host(int number) {
        return net.hosts().get(number);
    }

    private static void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new OracleViolation(what);
        }
    }
}
