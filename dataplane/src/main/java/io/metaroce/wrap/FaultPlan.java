// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import java.util.List;

/**
 * What is to go wrong, and how often; immutable, so that one reference changes all of it. Written as
 * {@code loss=1%,reorder=0.5%/3,dup=0.1%,corrupt=0.01%,delay=200us,path-kill=3@2s-5s,seed=42,side=tx,only=data,mtu=1472}, see
 * {@link FaultWord}.
 *
 * @param lossPpb packets lost, per thousand million
 * @param reorderPpb packets held back, per thousand million
 * @param reorderDepth later packets that pass a held one, 1 to {@link #REORDER_DEPTH_MAX}
 * @param dupPpb packets sent twice, per thousand million
 * @param corruptPpb packets damaged, per thousand million
 * @param delayNs lateness of every packet in nanoseconds, 0 to {@link #DELAY_NS_MAX}
 * @param seed of the pseudo-random decisions
 * @param side which direction suffers
 * @param target which packets suffer
 * @param killedPaths paths that carry nothing now
 * @param pathKills paths that carry nothing at times, at most {@link #PATH_KILLS_MAX}
 * @param longestBytes bytes of the longest packet that passes; 0 for any
 */
public record FaultPlan(
        int lossPpb,
        int reorderPpb,
        int reorderDepth,
        int dupPpb,
        int corruptPpb,
        long delayNs,
        long seed,
        Side side,
        Target target,
        PathSet killedPaths,
        List<PathKill> pathKills,
        int longestBytes) {
    public static final int ONE_PPB = 1_000_000_000;
    public static final int REORDER_DEPTH_MAX = 64;
    public static final int REORDER_DEPTH_DEFAULT = 3;
    public static final long DELAY_NS_MAX = 1_000_000_000;
    public static final int PATH_KILLS_MAX = 16;
    /** Least MTU of a plan: what the smallest packet of every kind needs. */
    public static final int LONGEST_BYTES_MIN = 64;

    public static final int LONGEST_BYTES_MAX = 65_507;

    /** Nothing goes wrong. */
    public static final FaultPlan NONE =
            new FaultPlan(0, 0, REORDER_DEPTH_DEFAULT, 0, 0, 0, 1, Side.TX, Target.ALL, PathSet.EMPTY, List.of(), 0);

    /** The direction that suffers, seen from the port. */
    public enum Side {
        TX,
        RX,
        BOTH;

        boolean includes(Side other) {
            return this == BOTH || this == other;
        }
    }

    /** The packets that suffer. */
    public enum Target {
        ALL,
        DATA,
        ACK;

        boolean includes(boolean isData) {
            return this == ALL || isData == (this == DATA);
        }
    }

    public FaultPlan {
        pathKills = List.copyOf(pathKills);
    }

    /**
     * Reads a plan; empty text is {@link #NONE}.
     *
     * @throws IllegalArgumentException with one line that names the word, what is wrong, and what would be right
     */
    public static FaultPlan parse(String text) {
        return new FaultPlanParser().parse(text);
    }

    /** The same plan with a path that carries nothing from now on. */
    public FaultPlan withPathKilled(int path) {
        return withKilledPaths(killedPaths.with(path));
    }

    /** The same plan with a path that carries again; a kill by the clock stands. */
    public FaultPlan withPathRevived(int path) {
        return withKilledPaths(killedPaths.without(path));
    }

    private FaultPlan withKilledPaths(PathSet paths) {
        return new FaultPlan(
                lossPpb,
                reorderPpb,
                reorderDepth,
                dupPpb,
                corruptPpb,
                delayNs,
                seed,
                side,
                target,
                paths,
                pathKills,
                longestBytes);
    }

    /** Whether any fault of this plan can touch a packet that passes in this direction. */
    boolean touches(Side direction) {
        boolean isHarmless = (lossPpb | reorderPpb | dupPpb | corruptPpb | longestBytes) == 0 && delayNs == 0;
        return side.includes(direction) && !(isHarmless && killedPaths.isEmpty() && pathKills.isEmpty());
    }
}
