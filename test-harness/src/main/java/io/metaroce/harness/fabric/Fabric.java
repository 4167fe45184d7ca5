// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One fabric and its time: hosts, switches, links, the packets among them and the events to come. Built once, then run; the
 * same calls with the same seed give the same run.
 */
public final class Fabric implements AutoCloseable {
    /** Transport times must not be 0, so time begins later. */
    public static final long START_PS = 1_000_000_000_000L;

    private static final int STEPS_BETWEEN_LOOKS = 1 << 16;

    private final PacketPool pool;
    private final EventHeap heap = new EventHeap();
    private final ActionQueue actions = new ActionQueue();
    private final int actionsEvent;
    private final List<EventSource> sources = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Switch> switches = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private final long seed;
    private EventSource[] sourceArray = {};
    private long nowPs = START_PS;
    long hops;
    long drops;
    long copies;
    private boolean isStopped;

    /**
     * @param packetsMax packets at one time
     * @param keptBytes bytes kept of each packet
     */
    public Fabric(long seed, int packetsMax, int keptBytes) {
        this.seed = seed;
        this.pool = new PacketPool(packetsMax, keptBytes);
        this.actionsEvent = register(actions);
    }

    public PacketPool pool() {
        return pool;
    }

    /** Virtual time in ps, from {@link #START_PS}. */
    public long nowPs() {
        return nowPs;
    }

    /** Packets that reached the end of a link so far. */
    public long hops() {
        return hops;
    }

    /** Packets dropped so far, for whatever reason. */
    public long drops() {
        return drops;
    }

    /** Packets that a fault duplicated. */
    public long copies() {
        return copies;
    }

    public List<Host> hosts() {
        return hosts;
    }

    public List<Switch> switches() {
        return switches;
    }

    public List<Link> links() {
        return links;
    }

    /** All hosts' links of a plane, and those toward them. */
    public List<Link> linksOfPlane(int plane) {
        List<Link> found = new ArrayList<>();
        for (Host host : hosts) {
            Link uplink = host.uplinks().get(plane);
            found.add(uplink);
            for (Link down : ((Switch) uplink.to()).links()) {
                if (down.to() == host) {
                    found.add(down);
                }
            }
        }
        return found;
    }

    /** Links between the first host and the one farthest from it. */
    public int farthestHops() {
        Map<Node, Integer> hopsTo = new LinkedHashMap<>();
        ArrayDeque<Node> next = new ArrayDeque<>(List.of((Node) hosts.get(0)));
        hopsTo.put(hosts.get(0), 0);
        int most = 0;
        while (!next.isEmpty()) {
            Node at = next.removeFirst();
            int distance = hopsTo.getOrDefault(at, 0);
            most = at instanceof Host ? Math.max(most, distance) : most;
            List<Link> outgoing = at instanceof Switch one
                    ? one.links()
                    : distance == 0 ? hosts.get(0).uplinks() : List.of();
            for (Link link : outgoing) {
                if (hopsTo.putIfAbsent(link.to(), distance + 1) == null) {
                    next.add(link.to());
                }
            }
        }
        return most;
    }

    Link link(int id) {
        return links.get(id);
    }

    /** A number that only the seed and the name decide. */
    public long seedOf(long name) {
        return Hash.mix(seed ^ Hash.mix(name + 0x9E37_79B9_7F4A_7C15L));
    }

    public Host newHost() {
        Host host = new Host(this, hosts.size());
        hosts.add(host);
        return host;
    }

    public Switch newSwitch() {
        Switch created = new Switch(this, switches.size(), seedOf(0x5_0000_0000L + switches.size()));
        switches.add(created);
        return created;
    }

    /** A link out of a switch. */
    public Link connect(Switch from, Node to, LinkSpec spec) {
        Link link = newLink(to, spec);
        from.attach(link);
        return link;
    }

    /** A host's link into the fabric, its next plane. */
    public Link connect(Host from, Node to, LinkSpec spec) {
        Link link = newLink(to, spec);
        from.attach(link);
        return link;
    }

    private Link newLink(Node to, LinkSpec spec) {
        Link link = new Link(this, links.size(), spec, to, seedOf(0x1_0000_0000L + links.size()));
        links.add(link);
        return link;
    }

    /** A number under which a source can be scheduled. */
    public int register(EventSource source) {
        sources.add(source);
        return heap.register();
    }

    /** Gives a source its next event or moves it; {@link Long#MAX_VALUE} takes it away. */
    public void schedule(int source, long timePs) {
        heap.schedule(source, Math.max(timePs, nowPs));
    }

    /** When a source's event is due; {@link Long#MAX_VALUE} if it has none. */
    long pendingPs(int source) {
        return heap.timeOf(source);
    }

    /** Something to be done at a time, such as a link going down. */
    public void at(long timePs, Runnable what) {
        actions.add(timePs, now -> what.run());
        schedule(actionsEvent, actions.nextPs());
    }

    void later(Link link, int packet, long timePs) {
        actions.add(timePs, now -> link.deliver(packet, now));
        schedule(actionsEvent, actions.nextPs());
    }

    void pauseLater(Link link, boolean isPaused, long timePs) {
        actions.add(timePs + link.delayPs(), now -> link.isPaused(isPaused, now));
        schedule(actionsEvent, actions.nextPs());
    }

    /** A packet ends here. */
    public void drop(int packet) {
        drops++;
        pool.release(packet);
    }

    /** Ends {@link #run} after the present event. */
    public void stop() {
        isStopped = true;
    }

    public boolean isStopped() {
        return isStopped;
    }

    /**
     * Runs until a time, until nothing is pending, or until somebody stops it.
     *
     * @param progress looked at every now and then, for those who wait
     */
    public void run(long untilPs, Runnable progress) {
        sourceArray = sources.toArray(new EventSource[0]);
        int steps = 0;
        while (!isStopped) {
            long next = heap.nextPs();
            if (next > untilPs || next == EventHeap.NEVER) {
                break;
            }
            nowPs = next;
            int id = heap.take();
            if (id == actionsEvent) {
                actions.onEvent(nowPs);
                schedule(actionsEvent, actions.nextPs());
            } else {
                sourceArray[id].onEvent(nowPs);
            }
            if (++steps == STEPS_BETWEEN_LOOKS) {
                steps = 0;
                progress.run();
            }
        }
        if (!isStopped && untilPs != EventHeap.NEVER) {
            nowPs = Math.max(nowPs, untilPs);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
