// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/**
 * One end of a transport between two hosts: takes packets, gives packets, says when it must be looked at. Two kinds exist:
 * the daemon's own connection, and the RoCEv2 baseline.
 */
public interface Endpoint {
    /** Asks to send so many bytes; the peer hears of their arrival if {@code isTold}. */
    void post(long bytes, int tag, boolean isTold);

    /** A packet for this endpoint; the caller releases it. */
    void onPacket(int packet, long nowNs);

    /** The receive turn is over, or a deadline has passed: act. */
    void onTurn(long nowNs);

    /** The next packet to send, described but not routed; {@link PacketPool#NONE} if there is none now. */
    int poll(long nowNs);

    /** When {@link #onTurn} is needed at latest without any packet; {@link Long#MAX_VALUE} if never. */
    long nextDeadlineNs();

    /** A local link went down or up. */
    default void onPlane(int plane, boolean isUp, long nowNs) {}
}
