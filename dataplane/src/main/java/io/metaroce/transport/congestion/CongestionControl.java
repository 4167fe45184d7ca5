// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** The window of one path. Implementations decide from plain numbers and keep no clock. */
public interface CongestionControl {

    /** Bytes that may be in flight on the path; at least one packet always may. */
    long windowBytes();

    /**
     * A round trip of the path was measured; told before the acknowledgement that measured it.
     *
     * @param sampleNs without the peer's delay
     * @param baseNs least round trip of the path
     */
    default void onRoundTrip(long sampleNs, long baseNs) {}

    /**
     * An acknowledgement told something new.
     *
     * @param acknowledgedBytes newly acknowledged
     * @param packets newly received by the peer on this path, duplicates included
     * @param markedPackets of those, how many carried congestion experienced
     * @param roundTripNs smoothed round-trip time of the path; 0 if unknown
     */
    void onAcknowledged(long acknowledgedBytes, int packets, int markedPackets, long roundTripNs, long nowNs);

    /** Packets of the path were found lost. */
    default void onLost(int packets, long nowNs) {}

    /** The path's retransmission timer expired. */
    void onTimeout(long nowNs);

    /** The path begins a new epoch, on another way through the fabric. */
    void onNewEpoch(long nowNs);

    /** The path was taken into service for new data, or out of it. */
    default void onService(boolean isInService) {}

    /** Whether the congestion that the path shows is that of the last hop, which all paths of its plane share. */
    default boolean isSharedCongestion() {
        return false;
    }

    /** Whether the last round trip showed congestion on this very path. */
    boolean isCongested();
}
