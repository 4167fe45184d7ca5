// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.List;

/**
 * Bounds of the control channel.
 *
 * @param limits what this side can bear in a connection
 * @param connectionsMax connections at one time
 * @param handshakesMax inbound channels at one time that are not attached to a connection
 * @param handshakeTimeoutNs how long such a channel may take
 * @param connectionTimeoutNs silence after which a connection without its channel is given up
 * @param incastDegree declared to peers, 0 unknown
 * @param operations names of the operations understood
 * @param peers which addresses a peer may name in its offer
 */
public record ManagerSettings(
        Limits limits,
        int connectionsMax,
        int handshakesMax,
        long handshakeTimeoutNs,
        long connectionTimeoutNs,
        int incastDegree,
        List<String> operations,
        AddressFilter peers) {
    public ManagerSettings {
        operations = List.copyOf(operations);
    }
}
