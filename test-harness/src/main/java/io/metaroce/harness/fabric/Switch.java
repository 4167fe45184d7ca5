// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.ArrayList;
import java.util.List;

/**
 * An output-queued switch: the route gives the equal links, the hash of the flow with the switch's own seed picks one, or,
 * with spraying, its round robin does.
 */
public final class Switch implements Node {
    /** More hops than any sane route has: beyond it a packet circles. */
    private static final int HOPS_MAX = 32;

    private final Fabric fabric;
    private final int number;
    private final long seed;
    private final List<Link> links = new ArrayList<>();
    private Link[][] routes = {};
    private boolean isSpraying;
    private boolean accountsIngress;
    private int turn;

    Switch(Fabric fabric, int number, long seed) {
        this.fabric = fabric;
        this.number = number;
        this.seed = seed;
    }

    int number() {
        return number;
    }

    /** Every packet takes the next of its equal links, whatever its flow. */
    public void isSpraying(boolean sprays) {
        isSpraying = sprays;
    }

    /** All queues of the switch share one buffer of so many bytes. */
    public void shareBuffer(long totalBytes, double alpha) {
        SharedBuffer buffer = new SharedBuffer(totalBytes, alpha);
        links.forEach(link -> link.buffer(buffer));
    }

    /** Priority flow control by the bytes held of each incoming link. */
    public void pauseLinks(long pauseFromBytes, long resumeBelowBytes) {
        PauseControl control = new PauseControl(fabric, pauseFromBytes, resumeBelowBytes);
        links.forEach(link -> link.pauses(control));
        accountsIngress = true;
    }

    void attach(Link outgoing) {
        links.add(outgoing);
    }

    /** Outgoing links, in the order in which they were made. */
    public List<Link> links() {
        return links;
    }

    /** The equal links toward each host. */
    void routes(Link[][] equalLinksOfHost) {
        routes = equalLinksOfHost;
    }

    @Override
    public void onPacket(int packet, Link from, long nowPs) {
        PacketPool pool = fabric.pool();
        Link[] equal = routes[pool.destination(packet)];
        int hops = pool.hops(packet) + 1;
        if (equal.length == 0 || hops > HOPS_MAX) {
            fabric.drop(packet);
            return;
        }
        pool.hops(packet, hops);
        if (accountsIngress) {
            pool.ingress(packet, from.id());
        }
        Link next = equal[0];
        if (equal.length > 1) {
            next = equal[
                    isSpraying
                            ? nextTurn(equal.length)
                            : Hash.reduce(Hash.mix(pool.flowHash(packet) ^ seed), equal.length)];
        }
        next.offer(packet, nowPs);
    }

    private int nextTurn(int length) {
        turn = turn + 1 >= length ? 0 : turn + 1;
        return turn;
    }
}
