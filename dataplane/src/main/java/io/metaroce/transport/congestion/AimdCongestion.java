// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** ECN AIMD windows of the paths, summed over the connection, under the peer's hints; hints for the peer from our shares. */
public final class AimdCongestion implements CongestionControlFactory {
    private final CongestionSettings settings;
    private final InboundShares shares;

    /**
     * @param shares of the lane or host that the connection belongs to; {@link InboundShares#NONE} for no hints
     */
    public AimdCongestion(CongestionSettings settings, InboundShares shares) {
        this.settings = settings;
        this.shares = shares;
    }

    @Override
    public CongestionControl newPathControl(int packetBytes, long initialBytes, long limitBytes) {
        return new EcnAimdWindow(packetBytes, initialBytes, limitBytes);
    }

    @Override
    public ConnectionControl newConnectionControl(ConnectionShape shape) {
        return new AimdConnection(settings, shape);
    }

    @Override
    public InboundShares inboundShares() {
        return shares;
    }
}
