// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.lane.Refusal;
import java.util.List;

/** Carries disturbances out, and tells the oracles of exactly those flows that may suffer from them. */
final class LaneDisturber {
    private final LaneNet net;
    private final List<SimFlow> flows;
    private final List<int[][]> connections;

    LaneDisturber(LaneNet net, List<SimFlow> flows, List<int[][]> connections) {
        this.net = net;
        this.flows = flows;
        this.connections = connections;
    }

    void carryOut(Disturbance what) {
        SimFlow victim = flows.get(what.victim());
        SimHost host = net.hosts().get(victim.host);
        if (!host.runs()) {
            return;
        }
        long untilNs = net.nowNs() + what.lastsNs();
        switch (what.kind()) {
            case SOURCE_GONE -> victim.deregister(0);
            case TARGET_GONE -> victim.deregister(1);
            case RECEIVES_GONE -> victim.deregister(2);
            case QUEUE_PAIR_CLOSED -> {
                victim.disturb();
                victim.close();
            }
            case CONNECTION_CLOSED -> {
                flows.stream()
                        .filter(flow -> flow.connection == victim.connection)
                        .forEach(SimFlow::disturb);
                for (int[] end : connections.get(victim.connection)) {
                    if (end[0] == victim.host) {
                        closeConnection(end);
                    }
                }
            }
            case LANE_STOPPED -> {
                orphan(victim.host);
                host.stopAmidst(net.nowNs());
            }
            case LANE_DIES -> {
                orphan(victim.host);
                host.die();
            }
            case PLANE_FLAPS -> flap(host, what, untilNs);
            case RECEIVES_LATE -> {
                victim.withhold(untilNs);
                net.wakeUp(untilNs);
            }
            case LANE_STALLS -> host.pause(untilNs);
        }
    }

    /** Closes one end, and waits for its end. */
    void closeConnection(int[] end) {
        SimHost host = net.hosts().get(end[0]);
        int id = end[1];
        Refusal refusal = host.carryOut((control, correlation) -> control.closeConnection(correlation, id));
        if (refusal == Refusal.NONE) {
            net.waitUntil("the end of connection " + id, () -> !host.runs() || host.finished.contains(id));
        }
    }

    private void orphan(int host) {
        for (SimFlow flow : flows) {
            boolean isConnected = false;
            for (int[] end : connections.get(flow.connection)) {
                isConnected |= end[0] == host;
            }
            if (flow.host == host) {
                flow.orphan();
            } else if (isConnected) {
                flow.disturb();
            }
        }
    }

    private void flap(SimHost host, Disturbance what, long untilNs) {
        SimPort port = host.ports[what.victim() % host.ports.length];
        port.linkDownUntil(untilNs);
        net.wakeUp(untilNs);
    }
}
