// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** What bounds a connection over all its paths: a window, and for each plane a rate. Single-threaded, like its connection. */
public interface ConnectionControl {

    /** The controller of one more path, in the order of path ids. */
    CongestionControl newPath(int plane);

    /** Bytes that may be in flight over all paths; one packet always may. */
    long windowBytes(long nowNs);

    /** What may go out over all planes, in Mbit/s: the window in each base round trip, or less where a rate paces. */
    long rateMbps(long nowNs);

    /** When the next burst may start on a plane; not later than now where nothing paces. */
    long nextBurstNs(int plane);

    /** A packet goes out on a plane, for the first time or again. */
    void onSent(int plane, int packetBytes, long nowNs);

    /**
     * An ACK carried the peer's hint for a plane.
     *
     * @param epoch which computation of the peer, serial modulo 256
     * @param rateMbps our share of the peer's inbound rate
     */
    void onHint(int plane, int epoch, long rateMbps, long nowNs);

    /** Rate in Mbit/s that the peer allows us over all planes; 0 while no hint is in force. */
    long hintMbps(long nowNs);
}
