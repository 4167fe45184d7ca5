// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** Makes the controllers of a connection and of its paths. */
@FunctionalInterface
public interface CongestionControlFactory {

    /**
     * A controller for one path that knows nothing of the others.
     *
     * @param packetBytes a full packet on this path
     * @param initialBytes first window
     * @param limitBytes largest useful window
     */
    CongestionControl newPathControl(int packetBytes, long initialBytes, long limitBytes);

    /** The controller of a whole connection; one that bounds nothing, unless overridden. */
    default ConnectionControl newConnectionControl(ConnectionShape shape) {
        return new IndependentPaths(this, shape);
    }

    /** What the receiving side of the connection tells its peer: shares of our inbound rate; nothing, unless overridden. */
    default InboundShares inboundShares() {
        return InboundShares.NONE;
    }
}
