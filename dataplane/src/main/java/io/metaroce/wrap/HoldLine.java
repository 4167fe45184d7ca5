// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

/**
 * Packets of one direction that wait in the store: those held back until later ones have passed, and those that are late by
 * a fixed time. The second kind is a queue, because a delay is the same for all; a held packet that is due joins it if
 * there is a delay, so that it does not overtake.
 */
final class HoldLine {
    static final int REORDERED_MAX = FaultPlan.REORDER_DEPTH_MAX;

    private final int[] reordered = new int[REORDERED_MAX];
    private final long[] reorderedUntil = new long[REORDERED_MAX];
    private int reorderedCount;
    private long passed;

    private final int[] delayed;
    private final long[] delayedUntilNs;
    private int delayedHead;
    private int delayedCount;

    /**
     * @param slots of the store, which bounds what can wait
     */
    HoldLine(int slots) {
        this.delayed = new int[slots];
        this.delayedUntilNs = new long[slots];
    }

    boolean isEmpty() {
        return reorderedCount == 0 && delayedCount == 0;
    }

    boolean canReorder() {
        return reorderedCount < REORDERED_MAX;
    }

    /** Holds a packet until {@code depth} later ones have passed. */
    void reorder(int slot, int depth) {
        reordered[reorderedCount] = slot;
        reorderedUntil[reorderedCount] = passed + depth;
        reorderedCount++;
    }

    /** Lets a packet wait; times never decrease from call to call unless the plan shortens the delay. */
    void delay(int slot, long untilNs) {
        int at = delayedHead + delayedCount;
        at = at >= delayed.length ? at - delayed.length : at;
        delayed[at] = slot;
        delayedUntilNs[at] = untilNs;
        delayedCount++;
    }

    /** A later packet has passed the held ones. */
    void onPassed() {
        passed++;
    }

    /** Nothing passes any more: whatever is held back for later packets is due. */
    void onIdle() {
        passed += FaultPlan.REORDER_DEPTH_MAX;
    }

    /**
     * A packet whose time has come, which leaves the line.
     *
     * @param delayNs lateness that a packet held back still has to wait for
     * @return its slot, or {@link PacketStore#NONE}
     */
    int pollDue(long nowNs, long delayNs) {
        int i = 0;
        while (i < reorderedCount) {
            if (reorderedUntil[i] - passed > 0) {
                i++;
                continue;
            }
            int slot = reordered[i];
            removeReordered(i);
            if (delayNs == 0) {
                return slot;
            }
            delay(slot, nowNs + delayNs);
        }
        if (delayedCount > 0 && delayedUntilNs[delayedHead] - nowNs <= 0) {
            int slot = delayed[delayedHead];
            delayedHead = delayedHead + 1 == delayed.length ? 0 : delayedHead + 1;
            delayedCount--;
            return slot;
        }
        return PacketStore.NONE;
    }

    private void removeReordered(int at) {
        reorderedCount--;
        for (int i = at; i < reorderedCount; i++) {
            reordered[i] = reordered[i + 1];
            reorderedUntil[i] = reorderedUntil[i + 1];
        }
    }
}
