// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.control.connect.PeerConnection;
import io.metaroce.control.daemon.Node;
import java.util.ArrayList;
import java.util.List;

/** The lines above a client's table, in perftest's form. */
final class Banner {
    private Banner() {}

    static List<String> lines(Plan plan, Node node, PeerConnection peer, int payloadBytes) {
        List<String> lines = new ArrayList<>();
        RunSpec first = plan.spec(plan.sizes().get(0), 0);
        lines.add(PerfTable.RULE);
        lines.add("                    " + plan.test().title());
        line(lines, "Device", node.name() + " (" + description(node) + ")");
        line(lines, "Transport type", "MetaRoCE Open Profile 1");
        line(lines, "Number of qps", Integer.toString(plan.queuePairs()));
        line(lines, "Paths", peer.limits().paths() + " over " + planes(peer));
        if (!plan.test().isLatency()) {
            line(lines, "TX depth", Integer.toString(first.depth()));
        }
        line(lines, "Mtu", payloadBytes + "[B] of payload");
        line(lines, "Data ex. method", "control channel, unauthenticated");
        line(
                lines,
                "Verification",
                plan.isVerified() ? "every byte, at the receiver" : "none (--no-verify): counts what was acknowledged");
        lines.add(PerfTable.RULE);
        node.ports().forEach(port -> lines.add(" local address:  " + port.address() + " UDP " + port.udpPort()));
        peer.peerPlanes()
                .forEach(plane -> lines.add(" remote address: " + plane.address() + " UDP " + plane.udpPort()));
        lines.add(PerfTable.RULE);
        return lines;
    }

    private static String planes(PeerConnection peer) {
        int planes = peer.peerPlanes().size();
        return planes + (planes == 1 ? " plane" : " planes");
    }

    private static String description(Node node) {
        return node.ports().get(0).kind() + " port, ECN "
                + (node.ports().get(0).capabilities().ecnSeen() ? "seen" : "not seen");
    }

    private static void line(List<String> lines, String name, String value) {
        lines.add(String.format(java.util.Locale.ROOT, " %-15s : %s", name, value));
    }
}
