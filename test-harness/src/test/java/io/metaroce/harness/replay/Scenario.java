// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.port.IpAddress;
import io.metaroce.transport.connection.BrokenRule;
import io.metaroce.transport.connection.ConnectionSettings;
import java.util.List;

/**
 * One capture of the corpus: the network between the ends and what it does to packets toward the receiver.
 *
 * @param lossPerMille packets lost, in either direction
 * @param reorderPerMille packets held back by up to 60 us
 * @param duplicatePerMille packets delivered twice
 * @param markPerMille packets marked CE
 * @param killAfterNs when the first way of path 1 dies for good, from the start; 0 never
 */
record Scenario(
        String name,
        long seed,
        boolean isIpv6,
        int vlan,
        int lossPerMille,
        int reorderPerMille,
        int duplicatePerMille,
        int markPerMille,
        long killAfterNs) {
    static final int PATHS = 4;
    static final int PAYLOAD_BYTES = 256;
    static final int UDP_PORT = 4795;

    static final List<Scenario> ALL = List.of(
            new Scenario("clean", 11, false, 0, 0, 0, 0, 0, 0),
            new Scenario("loss-1-percent", 26, false, 0, 10, 0, 0, 0, 0),
            new Scenario("path-killed", 33, false, 0, 0, 0, 0, 0, 50_000),
            new Scenario("reordering-and-duplicates", 44, false, 0, 0, 100, 50, 0, 0),
            new Scenario("ipv6-vlan-marked", 55, true, 42, 0, 0, 0, 100, 0));

    ConnectionSettings sender() {
        return settings(Plan.SENDER_ID, Plan.RECEIVER_ID, receiverHigh(), receiverLow(), BrokenRule.NONE);
    }

    ConnectionSettings receiver(BrokenRule broken) {
        return settings(Plan.RECEIVER_ID, Plan.SENDER_ID, senderHigh(), senderLow(), broken);
    }

    long senderHigh() {
        return isIpv6 ? 0x20010db8_00000000L : 0;
    }

    long senderLow() {
        return isIpv6 ? 1 : IpAddress.mapped(0xc000_0201);
    }

    long receiverHigh() {
        return isIpv6 ? 0x20010db8_00000000L : 0;
    }

    long receiverLow() {
        return isIpv6 ? 2 : IpAddress.mapped(0xc000_0202);
    }

    private ConnectionSettings settings(int localId, int remoteId, long high, long low, BrokenRule broken) {
        return new ConnectionSettings(
                localId,
                remoteId,
                List.of(new ConnectionSettings.Plane(high, low, 0, UDP_PORT, 64, 1)),
                PATHS,
                PAYLOAD_BYTES,
                64,
                1024,
                Plan.STREAMS,
                1 << 20,
                ConnectionSettings.Limits.SIMULATED,
                seed,
                broken);
    }
}
