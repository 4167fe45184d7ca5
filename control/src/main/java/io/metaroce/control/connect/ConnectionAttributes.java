// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.List;

/**
 * A connection as agreed, for the dataplane.
 *
 * @param localId chosen by us; packets to us carry it
 * @param remoteId chosen by the peer
 * @param lane which of our lanes it belongs to
 * @param planes how the peer is reached, in plane order
 * @param limits those in force for both sides
 * @param inFlightBytesMax half of the smallest receive buffer that the peer announced
 * @param incastDegree how many hosts the peer expects to send to it at the same time; 0 unknown
 */
public record ConnectionAttributes(
        int localId,
        int remoteId,
        int lane,
        List<PlaneOffer> planes,
        Limits limits,
        long inFlightBytesMax,
        int incastDegree) {
    public ConnectionAttributes {
        planes = List.copyOf(planes);
    }
}
