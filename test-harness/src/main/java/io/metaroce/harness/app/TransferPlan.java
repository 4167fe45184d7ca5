// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

/**
 * What both halves of a transfer must agree on.
 *
 * @param operation how messages travel
 * @param messageBytes size of each message, 0 to 2^30
 * @param slots buffers on each side, a power of two, 2 to 4096; message m uses slot m mod slots
 * @param heldSlots checked slots that stay poisoned, and watched for late writes, before they are granted again
 * @param seed of the payload
 * @param isVerified whether the receiver checks every byte
 */
public record TransferPlan(
        Operation operation, long messageBytes, int slots, int heldSlots, long seed, boolean isVerified) {
    /** Most slots of a transfer. */
    public static final int SLOTS_MAX = 4096;

    public TransferPlan {
        if (slots < 2 || slots > SLOTS_MAX || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("slots must be a power of two up to " + SLOTS_MAX + ", was " + slots);
        }
        if (heldSlots < 0 || heldSlots >= slots) {
            throw new IllegalArgumentException("held slots must be fewer than the slots, was " + heldSlots);
        }
    }

    /** How a message travels. */
    public enum Operation {
        /** RDMA write with immediate: placed by address, told by the immediate. */
        WRITE,
        /** Send: placed in the receive that the slot posted. */
        SEND
    }

    /** Bytes between two slots: a message, and at least one byte, rounded up to cache lines. */
    public long slotBytes() {
        return Math.max(64, messageBytes + 63 & -64L);
    }

    /** Bytes of all slots together. */
    public long bufferBytes() {
        return slotBytes() * slots;
    }

    /** Messages that may be under way and unchecked. */
    public int messagesInFlightMax() {
        return slots - heldSlots;
    }

    int slot(long message) {
        return (int) (message & slots - 1);
    }
}
