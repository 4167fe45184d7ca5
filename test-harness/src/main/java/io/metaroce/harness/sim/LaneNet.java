// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.harness.check.OracleViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Hosts, the wire between them, and time: whole lanes called in virtual time, nothing else runs. */
final class LaneNet {
    private static final long STEP_MIN_NS = 500;
    private static final int EVENTS_OF_A_TURN = 8;
    /** Longest that a single call of verbs may take: the slowest thing that it can wait for is a lost peer. */
    private static final long WAIT_MAX_NS = 3_000_000_000L;

    private final SimWire wire;
    private final List<SimHost> hosts = new ArrayList<>();
    private final Runnable application;
    private long nowNs;
    private long wakeUpNs = Long.MAX_VALUE;

    /**
     * @param application takes completions whenever a turn is over, also while a call of verbs waits
     */
    LaneNet(SimWire wire, long nowNs, Runnable application) {
        this.wire = wire;
        this.nowNs = nowNs;
        this.application = application;
    }

    void add(SimHost host) {
        hosts.add(host);
    }

    List<SimHost> hosts() {
        return hosts;
    }

    long nowNs() {
        return nowNs;
    }

    /** Time does not jump over this moment. */
    void wakeUp(long atNs) {
        wakeUpNs = Math.min(wakeUpNs, atNs);
    }

    /** Every host has a cycle, then time passes: a little if something was done, else up to the next event. */
    void turn(boolean didApplicationWork) {
        boolean didWork = didApplicationWork;
        for (SimHost host : hosts) {
            didWork |= host.turn(nowNs);
            didWork |= host.pollEvents(EVENTS_OF_A_TURN);
        }
        application.run();
        long next = Math.min(wire.nextArrivalNs(), wakeUpNs);
        for (SimHost host : hosts) {
            next = Math.min(next, host.nextDeadlineNs(nowNs));
        }
        boolean jumps = next != Long.MAX_VALUE && !didWork;
        nowNs = jumps ? Math.max(next, nowNs + STEP_MIN_NS) : nowNs + STEP_MIN_NS;
        if (nowNs >= wakeUpNs) {
            wakeUpNs = Long.MAX_VALUE;
        }
        land(nowNs);
    }

    /** Whatever is under way arrives. */
    void land(long untilNs) {
        while (wire.nextArrivalNs() <= untilNs && wire.nextArrivalNs() != Long.MAX_VALUE) {
            SimWire.Flight flight = wire.land();
            port(flight.to()).onFlight(flight);
            wire.giveBack(flight);
        }
    }

    SimPort port(int end) {
        int planes = hosts.get(0).ports.length;
        return hosts.get(end / planes).ports[end % planes];
    }

    /** Lets time pass until something is so. */
    void waitUntil(String what, BooleanSupplier isSo) {
        long boundNs = nowNs + WAIT_MAX_NS;
        while (!isSo.getAsBoolean()) {
            turn(false);
            if (nowNs > boundNs) {
                throw new OracleViolation("waited in vain for " + what);
            }
        }
    }
}
