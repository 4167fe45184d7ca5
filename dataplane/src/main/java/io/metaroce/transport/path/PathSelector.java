// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/** Chooses the path of the next packet: among those with window, the one with the most free share of its window. */
public final class PathSelector {
    private PathSelector() {}

    /**
     * The free share of a window in parts of 2^16, negative if a packet does not fit.
     *
     * @param inFlightBytes on the path; an empty path always takes one packet
     */
    public static long freeShare(long windowBytes, long inFlightBytes, int packetBytes) {
        if (inFlightBytes == 0) {
            return 1L << 16;
        }
        long freeBytes = windowBytes - inFlightBytes - packetBytes;
        return freeBytes < 0 ? -1 : (freeBytes << 16) / Math.max(1, windowBytes);
    }
}
