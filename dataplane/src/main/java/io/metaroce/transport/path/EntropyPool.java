// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import java.util.Arrays;

/**
 * The entropies of one plane as one connection sees them: which of its paths uses which, which proved good and which were
 * left. A path that looks for another way gets a good one first, then one that nobody left lately (MOP-PATH-17).
 */
public final class EntropyPool {
    /** Good entropies remembered, and as many bad ones. */
    public static final int MEMORY = 8;

    private static final int NONE = -1;

    private final int sourcePorts;
    private final int[] usedBy;
    private final int[] good = new int[MEMORY];
    private final int[] left = new int[MEMORY];
    private int oldestGood;
    private int oldestLeft;
    private int cursor;

    /**
     * @param sourcePorts entropies of the plane's port, at least 1
     * @param paths of the connection; those of other planes use nothing here
     * @param first where fresh entropies are taken from, any number
     */
    public EntropyPool(int sourcePorts, int paths, int first) {
        this.sourcePorts = sourcePorts;
        this.usedBy = new int[paths];
        this.cursor = Math.floorMod(first, sourcePorts);
        Arrays.fill(usedBy, NONE);
        Arrays.fill(good, NONE);
        Arrays.fill(left, NONE);
    }

    /** A path uses an entropy from now on. */
    public void use(int pathId, int sourcePortIndex) {
        usedBy[pathId] = sourcePortIndex;
    }

    /** An entropy carried many clean round trips. */
    public void onGood(int sourcePortIndex) {
        forget(left, sourcePortIndex);
        if (!contains(good, sourcePortIndex)) {
            good[oldestGood] = sourcePortIndex;
            oldestGood = (oldestGood + 1) % MEMORY;
        }
    }

    /** An entropy was congested, or fell silent. */
    public void onLeft(int sourcePortIndex) {
        forget(good, sourcePortIndex);
        if (!contains(left, sourcePortIndex)) {
            left[oldestLeft] = sourcePortIndex;
            oldestLeft = (oldestLeft + 1) % MEMORY;
        }
    }

    public boolean isGood(int sourcePortIndex) {
        return contains(good, sourcePortIndex);
    }

    /** Another entropy than the path's own; its own only where the plane has no other. The path uses it from now on. */
    public int choose(int pathId) {
        int own = usedBy[pathId];
        int chosen = newestGood();
        if (chosen == NONE) {
            chosen = fresh(own, true);
        }
        if (chosen == NONE) {
            chosen = fresh(own, false);
        }
        if (chosen == NONE) {
            chosen = (Math.max(own, 0) + 1) % sourcePorts;
        }
        use(pathId, chosen);
        return chosen;
    }

    /** The good entropy remembered last that no path uses. */
    private int newestGood() {
        for (int i = 1; i <= MEMORY; i++) {
            int candidate = good[Math.floorMod(oldestGood - i, MEMORY)];
            if (candidate != NONE && !contains(usedBy, candidate)) {
                return candidate;
            }
        }
        return NONE;
    }

    /** The next one round the pool that no path uses; more steps than paths and memory are never needed. */
    private int fresh(int own, boolean avoidsLeft) {
        int steps = Math.min(sourcePorts, usedBy.length + MEMORY + 1);
        for (int i = 0; i < steps; i++) {
            cursor = (cursor + 1) % sourcePorts;
            if (cursor != own && !contains(usedBy, cursor) && !(avoidsLeft && contains(left, cursor))) {
                return cursor;
            }
        }
        return NONE;
    }

    private static void forget(int[] memory, int sourcePortIndex) {
        for (int i = 0; i < memory.length; i++) {
            if (memory[i] == sourcePortIndex) {
                memory[i] = NONE;
            }
        }
    }

    private static boolean contains(int[] memory, int sourcePortIndex) {
        for (int entry : memory) {
            if (entry == sourcePortIndex) {
                return true;
            }
        }
        return false;
    }
}
