// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** The window of one path. Implementations decide from plain numbers and keep no clock. */
public interface CongestionControl {

    /** Bytes that may be in flight on the path; at least one packet always may. */
    long windowBytes();

    /**
     * An acknowledgement told something new.
     *
     * @param acknowledgedBytes newly acknowledged
     * @param packets newly received by the peer on this path, duplicates included
     * @param markedPackets of those, how many carried congestion experienced
     * @param roundTripNs smoothed round-trip time of the path; 0 if unknown
     */
    void onAcknowledged(long acknowledgedBytes, int packets, int markedPackets, long roundTripNs, long nowNs);

    /** The path's retransmission timer expired. */
    void onTimeout(long nowNs);

    /** The path begins a new epoch, on another way through the fabric. */
    void onNewEpoch(long nowNs);

    /** Whether the last round trip showed congestion. */
    boolean isCongested();
}
