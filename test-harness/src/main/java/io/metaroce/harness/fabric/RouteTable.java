// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/** Shortest routes with all equal links, for any wiring: breadth first from each switch that has hosts. */
final class RouteTable {
    private static final Link[] NOWHERE = {};

    private final Fabric fabric;

    private RouteTable(Fabric fabric) {
        this.fabric = fabric;
    }

    /** Gives every switch its routes to every host. */
    static void install(Fabric fabric) {
        new RouteTable(fabric).install();
    }

    private void install() {
        List<Switch> switches = fabric.switches();
        int hosts = fabric.hosts().size();
        Link[][][] routes = new Link[switches.size()][hosts][];
        for (Link[][] ofSwitch : routes) {
            Arrays.fill(ofSwitch, NOWHERE);
        }
        for (int edge = 0; edge < switches.size(); edge++) {
            List<Link> toHosts = switches.get(edge).links().stream()
                    .filter(link -> link.to() instanceof Host)
                    .toList();
            if (toHosts.isEmpty()) {
                continue;
            }
            int[] distances = distancesTo(edge);
            for (int at = 0; at < switches.size(); at++) {
                if (at == edge || distances[at] == Integer.MAX_VALUE) {
                    continue;
                }
                Link[] equal = closer(switches.get(at), distances, distances[at] - 1);
                for (Link toHost : toHosts) {
                    routes[at][((Host) toHost.to()).id()] = equal;
                }
            }
        }
        for (int at = 0; at < switches.size(); at++) {
            for (Link link : switches.get(at).links()) {
                if (link.to() instanceof Host host) {
                    routes[at][host.id()] = new Link[] {link};
                }
            }
            switches.get(at).routes(routes[at]);
        }
    }

    private Link[] closer(Switch from, int[] distances, int wanted) {
        return from.links().stream()
                .filter(link -> link.to() instanceof Switch next && distances[next.number()] == wanted)
                .toArray(Link[]::new);
    }

    /** Cables are laid both ways, so the distance from the edge is the distance to it. */
    private int[] distancesTo(int edge) {
        int[] distances = new int[fabric.switches().size()];
        Arrays.fill(distances, Integer.MAX_VALUE);
        distances[edge] = 0;
        ArrayDeque<Integer> next = new ArrayDeque<>(List.of(edge));
        while (!next.isEmpty()) {
            int at = next.removeFirst();
            for (Link link : fabric.switches().get(at).links()) {
                if (link.to() instanceof Switch neighbour && distances[neighbour.number()] == Integer.MAX_VALUE) {
                    distances[neighbour.number()] = distances[at] + 1;
                    next.add(neighbour.number());
                }
            }
        }
        return distances;
    }
}
