// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Packet buffers in one native block and the stack of those that are free. A slot is never given out twice; it may be held
 * by several packets that arrived in it together, and is free when the last of them has been given back.
 */
final class SlotPool {
    static final int NONE = -1;

    private static final int ALIGNMENT = 64;

    private final UnsafeBuffer block;
    private final int slotBytes;
    private final int[] free;
    /** Holders of each slot; 0 for a free one. */
    private final int[] holders;

    private int freeCount;

    /**
     * @param slots buffers in the pool
     * @param frameBytes usable bytes of each
     */
    SlotPool(int slots, int frameBytes) {
        this.slotBytes = BitUtil.align(frameBytes, ALIGNMENT);
        this.block =
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(Math.multiplyExact(slots, slotBytes), ALIGNMENT));
        this.free = new int[slots];
        this.holders = new int[slots];
        for (int slot = slots - 1; slot >= 0; slot--) {
            free[freeCount++] = slot;
        }
    }

    /** A free slot, or {@link #NONE}. */
    int take() {
        if (freeCount == 0) {
            return NONE;
        }
        int slot = free[--freeCount];
        holders[slot] = 1;
        return slot;
    }

    /** One more packet lies in a slot that is taken. */
    void share(int slot) {
        assert holders[slot] > 0 : "a free slot holds no packet";
        holders[slot]++;
    }

    /** Gives a slot back. Giving one back twice would hand the same bytes to two packets, so that is never silent. */
    void give(int slot) {
        if (holders[slot] == 0) {
            throw new IllegalStateException("packet buffer released twice");
        }
        if (--holders[slot] == 0) {
            free[freeCount++] = slot;
        }
    }

    long address(int slot) {
        return block.addressOffset() + (long) slot * slotBytes;
    }

    int freeCount() {
        return freeCount;
    }
}
