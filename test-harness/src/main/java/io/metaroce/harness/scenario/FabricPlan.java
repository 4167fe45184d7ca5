// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.harness.fabric.Fabric;
import io.metaroce.harness.fabric.Framing;
import io.metaroce.harness.fabric.Host;
import io.metaroce.harness.fabric.Link;
import io.metaroce.harness.fabric.LinkFaults;
import io.metaroce.harness.fabric.LinkSpec;
import io.metaroce.harness.fabric.LossModel;
import io.metaroce.harness.fabric.QueueSpec;
import io.metaroce.harness.fabric.Switch;
import io.metaroce.harness.fabric.Topology;
import io.metaroce.harness.sim.SeededRandom;
import java.util.List;

/** Builds what the settings describe, and breaks it as they say. */
final class FabricPlan {
    /** Headers of a full DATA packet: fixed part, operation, checksum. */
    private static final int HEADER_BYTES = 32 + 16 + 4;

    private static final double PS_PER_US = 1e6;
    private static final double TWO_WAY = 2;

    private final Settings settings;
    private final Fabric fabric;

    FabricPlan(Settings settings, Fabric fabric) {
        this.settings = settings;
        this.fabric = fabric;
    }

    /** A full packet on the wire. */
    static int packetBytes(Settings settings) {
        return settings.whole(Parameter.PAYLOAD_BYTES) + HEADER_BYTES + Framing.OVERHEAD_BYTES;
    }

    void build() {
        QueueSpec queue = queue();
        double rate = settings.number(Parameter.RATE_GBPS);
        double delay = settings.number(Parameter.DELAY_US);
        double coreRate = settings.number(Parameter.CORE_RATE_GBPS);
        double coreDelay = settings.number(Parameter.CORE_DELAY_US);
        LinkSpec edge = LinkSpec.of(rate, delay, queue);
        LinkSpec core = LinkSpec.of(coreRate > 0 ? coreRate : rate, coreDelay >= 0 ? coreDelay : delay, queue);
        Topology topology = new Topology(fabric, edge, core);
        topology.coreDelaySkew(settings.number(Parameter.CORE_DELAY_SKEW));
        int hosts = settings.whole(Parameter.HOSTS);
        int planes = settings.whole(Parameter.PLANES);
        int perLeaf = Math.min(hosts, settings.whole(Parameter.HOSTS_PER_LEAF));
        switch (settings.word(Parameter.TOPOLOGY)) {
            case "leaf-spine" ->
                topology.leafSpine(
                        hosts / perLeaf,
                        perLeaf,
                        settings.whole(Parameter.SPINES),
                        planes,
                        settings.isOn(Parameter.INTERLEAVED));
            case "fat-tree" -> topology.fatTree(settings.whole(Parameter.FAT_TREE_K), planes);
            case "rails" -> topology.rails(hosts / perLeaf, perLeaf, settings.whole(Parameter.SPINES));
            case "two-sites" -> topology.twoSites(hosts / 2, settings.whole(Parameter.LONG_LINKS), core);
            default -> topology.singleSwitch(hosts, planes);
        }
        furnishSwitches();
        breakLinks();
        fabric.hosts().forEach(host -> host.turnPs(Math.round(settings.number(Parameter.TURN_US) * PS_PER_US)));
    }

    /** Round trip of a full packet and its acknowledgement between the farthest hosts of an idle fabric, in ps. */
    long roundTripPs() {
        int hops = fabric.farthestHops();
        double edge = settings.number(Parameter.DELAY_US);
        double core = settings.number(Parameter.CORE_DELAY_US) >= 0 ? settings.number(Parameter.CORE_DELAY_US) : edge;
        double wayUs = 2 * edge + (hops - 2) * core * settings.number(Parameter.CORE_DELAY_SKEW);
        double packetUs = hops * packetBytes(settings) * 8 / (settings.number(Parameter.RATE_GBPS) * 1e3);
        return Math.round((TWO_WAY * wayUs + packetUs + settings.number(Parameter.TURN_US)) * PS_PER_US);
    }

    /** Packets that fill that round trip at the rate of all of a host's links. */
    double fillingPackets() {
        double bitsPerPs = settings.number(Parameter.RATE_GBPS) / 1e3 * settings.whole(Parameter.PLANES);
        return roundTripPs() * bitsPerPs / 8 / packetBytes(settings);
    }

    private QueueSpec queue() {
        int packetBytes = packetBytes(settings);
        double from = settings.number(Parameter.ECN_FROM_PACKETS);
        double to = Math.max(from, settings.number(Parameter.ECN_TO_PACKETS));
        return new QueueSpec(
                (long) (settings.number(Parameter.QUEUE_PACKETS) * packetBytes),
                from < 0 ? Long.MAX_VALUE : (long) (from * packetBytes),
                from < 0 ? Long.MAX_VALUE : (long) (to * packetBytes),
                settings.isOn(Parameter.ACK_PRIORITY));
    }

    private void furnishSwitches() {
        int packetBytes = packetBytes(settings);
        long sharedBytes = (long) (settings.number(Parameter.SHARED_BUFFER_PACKETS) * packetBytes);
        long pauseBytes = (long) (settings.number(Parameter.PAUSE_FROM_PACKETS) * packetBytes);
        for (Switch one : fabric.switches()) {
            one.isSpraying(settings.isOn(Parameter.SPRAY));
            if (sharedBytes > 0) {
                one.shareBuffer(sharedBytes, settings.number(Parameter.SHARED_BUFFER_ALPHA));
            }
            if (pauseBytes > 0) {
                one.pauseLinks(pauseBytes, pauseBytes / 2);
            }
        }
    }

    /** Faults sit on the hosts' own links, so that each packet meets them once. */
    private void breakLinks() {
        for (Host host : fabric.hosts()) {
            for (Link uplink : host.uplinks()) {
                if (hasFaults()) {
                    uplink.faults(faults(uplink.id()));
                }
            }
        }
        double rate = settings.number(Parameter.RATE_GBPS) * 1e9;
        double slowSender = settings.number(Parameter.SLOW_SENDER_SHARE);
        if (slowSender < 1) {
            fabric.hosts().get(1).uplinks().forEach(link -> link.rate(Math.round(rate * slowSender)));
        }
        double slowLink = settings.number(Parameter.SLOW_LINK_SHARE);
        if (slowLink < 1) {
            List<Link> core = fabric.links().stream().filter(Link::isCore).toList();
            core.get(0).rate(Math.round(rate * slowLink));
        }
        int plane = settings.whole(Parameter.CUT_PLANE);
        if (plane >= 0) {
            cut(plane);
        }
    }

    private boolean hasFaults() {
        return settings.number(Parameter.LOSS)
                        + settings.number(Parameter.ACK_LOSS)
                        + settings.number(Parameter.CORRUPTION)
                        + settings.number(Parameter.DUPLICATION)
                        + settings.number(Parameter.REORDER)
                > 0;
    }

    private LinkFaults faults(int link) {
        return new LinkFaults(
                loss(settings.number(Parameter.LOSS), random(link, 1)),
                loss(settings.number(Parameter.ACK_LOSS), random(link, 2)),
                rare(settings.number(Parameter.CORRUPTION), random(link, 3)),
                rare(settings.number(Parameter.DUPLICATION), random(link, 4)),
                rare(settings.number(Parameter.REORDER), random(link, 5)),
                Math.round(settings.number(Parameter.REORDER_US) * PS_PER_US),
                random(link, 6));
    }

    private SeededRandom random(int link, int purpose) {
        return new SeededRandom(fabric.seedOf((0x7L << 32) + link * 8L + purpose));
    }

    private LossModel loss(double share, SeededRandom random) {
        if (share <= 0) {
            return LossModel.NONE;
        }
        return switch (settings.word(Parameter.LOSS_MODEL)) {
            case "gilbert-elliott" -> LossModel.gilbertElliott(share, settings.number(Parameter.LOSS_BURST), 1, random);
            case "every" -> LossModel.every((int) Math.round(1 / share));
            default -> LossModel.bernoulli(share, random);
        };
    }

    private static LossModel rare(double share, SeededRandom random) {
        return share <= 0 ? LossModel.NONE : LossModel.bernoulli(share, random);
    }

    /** The second host's links of a plane go down both ways, unseen by anybody: packets vanish. */
    private void cut(int plane) {
        long startPs = Fabric.START_PS + Math.round(settings.number(Parameter.WARM_UP_US) * PS_PER_US);
        List<Link> links = fabric.linksOfPlane(plane);
        fabric.at(
                startPs + Math.round(settings.number(Parameter.CUT_AT_US) * PS_PER_US),
                () -> links.forEach(link -> link.isUp(false)));
        if (settings.number(Parameter.RESTORE_AT_US) > 0) {
            fabric.at(
                    startPs + Math.round(settings.number(Parameter.RESTORE_AT_US) * PS_PER_US),
                    () -> links.forEach(link -> link.isUp(true)));
        }
    }
}
