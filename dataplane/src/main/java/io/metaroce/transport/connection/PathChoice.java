// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.path.PathSelector;
import io.metaroce.transport.path.PlaneLoads;

/**
 * Chooses the path of a content: the last one for as long as the port's burst lasts, then, on the plane that has carried
 * least, the one with the most free share of its window (MOP-PATH-25, MOP-PATH-26, MOP-PATH-27). A path in doubt is taken only
 * when no other lives (MOP-PATH-33).
 */
final class PathChoice {
    /** Bytes of a burst of one path: what a socket carries as one message (MOP-PATH-27). */
    private static final int BURST_BYTES_MAX = 65_000;

    private final ConnectionState connection;
    private final PathSender[] paths;
    private final PlaneLoads loads;
    private final BurstPacing pacing;
    private final PathSender[] bestOfPlane;
    private PathSender chosen;
    private int burstLeft;

    PathChoice(ConnectionState connection, PathSender[] paths, BurstPacing pacing) {
        this.connection = connection;
        this.paths = paths;
        this.pacing = pacing;
        this.loads = new PlaneLoads(connection.settings.planes().size());
        this.bestOfPlane = new PathSender[connection.settings.planes().size()];
        java.util.Arrays.fill(bestOfPlane, paths[0]);
        this.chosen = paths[0];
    }

    /** The path that {@link #choose} chose. */
    PathSender chosen() {
        return chosen;
    }

    /** The receiver's rate for us on a plane. */
    void onRate(int plane, long rate) {
        loads.onRate(plane, rate);
    }

    /** So many bytes of a content went out on the chosen path. */
    void onSent(int bytes) {
        loads.onSent(chosen.path.plane(), bytes);
    }

    /** Chooses a path that can take a packet of so many bytes; false if none can. Pacing holds back only a burst's start. */
    boolean choose(int length, long nowNs) {
        boolean avoidsDoubt = isAnyWithoutDoubt();
        if (burstLeft > 0 && freeShare(chosen, length, avoidsDoubt) >= 0) {
            burstLeft--;
            return true;
        }
        int eligible = findBestOfPlanes(length, avoidsDoubt, nowNs);
        if (eligible == 0) {
            return false;
        }
        chosen = bestOfPlane[loads.next(eligible)];
        int burstPackets = connection.settings.planes().get(chosen.path.plane()).burstPackets();
        burstLeft = Math.min(burstPackets, Math.max(1, BURST_BYTES_MAX / length)) - 1;
        return true;
    }

    /** The path with the most free share on each plane; returns the mask of the planes that have one. */
    private int findBestOfPlanes(int length, boolean avoidsDoubt, long nowNs) {
        int eligible = 0;
        int first = chosen.path.id() + 1;
        for (int i = 0; i < paths.length; i++) {
            PathSender candidate = paths[(first + i) % paths.length];
            long share = freeShare(candidate, length, avoidsDoubt);
            int plane = candidate.path.plane();
            boolean isFirst = (eligible & 1 << plane) == 0;
            if (share >= 0
                    && !pacing.isHeld(plane, nowNs)
                    && (isFirst || share > freeShare(bestOfPlane[plane], length, avoidsDoubt))) {
                bestOfPlane[plane] = candidate;
                eligible |= 1 << plane;
            }
        }
        return eligible;
    }

    private boolean isAnyWithoutDoubt() {
        for (PathSender path : paths) {
            if (path.path.carriesNewData() && !path.isDoubted()) {
                return true;
            }
        }
        return false;
    }

    private static long freeShare(PathSender candidate, int length, boolean avoidsDoubt) {
        if (!candidate.path.carriesNewData()
                || !candidate.sent.hasRoom()
                || candidate.sent.lost() > 0
                || (avoidsDoubt && candidate.isDoubted())) {
            return -1;
        }
        return PathSelector.freeShare(
                candidate.path.congestion().windowBytes(), candidate.sent.inFlightBytes(), length);
    }
}
