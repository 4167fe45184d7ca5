// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.ArrayList;
import java.util.List;

/**
 * Wirings. Every cable is two links of the same kind; a host's uplinks have a queue without bound, since a host does not
 * drop its own packets.
 */
public final class Topology {
    /** A host holds its packets back itself. */
    private static final QueueSpec HOST_QUEUE = QueueSpec.tailDrop(Long.MAX_VALUE / 4);

    private final Fabric fabric;
    private final LinkSpec edge;
    private final LinkSpec core;
    private double coreDelaySkew = 1;

    /**
     * @param edge links between hosts and switches
     * @param core links between switches
     */
    public Topology(Fabric fabric, LinkSpec edge, LinkSpec core) {
        this.fabric = fabric;
        this.edge = edge;
        this.core = core;
    }

    /** The last spine's links take so many times longer than the first's, the others something in between. */
    public void coreDelaySkew(double skew) {
        coreDelaySkew = skew;
    }

    /** One switch a plane, all hosts on each. */
    public void singleSwitch(int hosts, int planes) {
        List<Host> all = newHosts(hosts);
        for (int plane = 0; plane < planes; plane++) {
            Switch only = fabric.newSwitch();
            all.forEach(host -> plug(host, only));
        }
        RouteTable.install(fabric);
    }

    /** Two tiers a plane; host i is on leaf i mod leaves (rank order) or in blocks. */
    public void leafSpine(int leaves, int hostsPerLeaf, int spines, int planes, boolean isInterleaved) {
        List<Host> all = newHosts(leaves * hostsPerLeaf);
        for (int plane = 0; plane < planes; plane++) {
            List<Switch> leaf = newSwitches(leaves);
            List<Switch> spine = newSwitches(spines);
            for (int i = 0; i < all.size(); i++) {
                plug(all.get(i), leaf.get(isInterleaved ? i % leaves : i / hostsPerLeaf));
            }
            for (Switch below : leaf) {
                for (int i = 0; i < spines; i++) {
                    join(below, spine.get(i), skewed(i, spines));
                }
            }
        }
        RouteTable.install(fabric);
    }

    /** Three tiers of switches with {@code k} ports (Al-Fares, 2008): k^3 / 4 hosts. */
    public void fatTree(int k, int planes) {
        int half = k / 2;
        List<Host> all = newHosts(k * half * half);
        for (int plane = 0; plane < planes; plane++) {
            List<Switch> cores = newSwitches(half * half);
            for (int pod = 0; pod < k; pod++) {
                List<Switch> edges = newSwitches(half);
                List<Switch> aggregations = newSwitches(half);
                for (int i = 0; i < half; i++) {
                    for (int j = 0; j < half; j++) {
                        plug(all.get((pod * half + i) * half + j), edges.get(i));
                        join(edges.get(i), aggregations.get(j));
                        join(aggregations.get(i), cores.get(i * half + j));
                    }
                }
            }
        }
        RouteTable.install(fabric);
    }

    /**
     * Rails: host i of every group is on the leaf of rail i mod rails, and rails meet in spines. Collectives of one rail stay
     * below their leaf.
     */
    public void rails(int groups, int rails, int spines) {
        leafSpine(rails, groups, spines, 1, true);
    }

    /** Two sites of one leaf each, joined by so many long links. */
    public void twoSites(int hostsPerSite, int longLinks, LinkSpec longSpec) {
        List<Host> all = newHosts(2 * hostsPerSite);
        Switch here = fabric.newSwitch();
        Switch there = fabric.newSwitch();
        for (int i = 0; i < all.size(); i++) {
            plug(all.get(i), i < hostsPerSite ? here : there);
        }
        for (int i = 0; i < longLinks; i++) {
            fabric.connect(here, there, longSpec);
            fabric.connect(there, here, longSpec);
        }
        RouteTable.install(fabric);
    }

    private List<Host> newHosts(int count) {
        List<Host> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(fabric.newHost());
        }
        return hosts;
    }

    private List<Switch> newSwitches(int count) {
        List<Switch> switches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            switches.add(fabric.newSwitch());
        }
        return switches;
    }

    private void plug(Host host, Switch into) {
        fabric.connect(host, into, new LinkSpec(edge.rateBitsPerSecond(), edge.delayPs(), HOST_QUEUE));
        fabric.connect(into, host, edge);
    }

    private void join(Switch below, Switch above) {
        join(below, above, core);
    }

    private void join(Switch below, Switch above, LinkSpec spec) {
        fabric.connect(below, above, spec);
        fabric.connect(above, below, spec);
    }

    private LinkSpec skewed(int spine, int spines) {
        double factor = spines == 1 ? 1 : 1 + (coreDelaySkew - 1) * spine / (spines - 1);
        return new LinkSpec(core.rateBitsPerSecond(), Math.round(core.delayPs() * factor), core.queue());
    }
}
