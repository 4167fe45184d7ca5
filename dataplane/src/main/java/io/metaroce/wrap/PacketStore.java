// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import io.metaroce.port.PacketBurst;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies of packets that faults hold on to: bytes and descriptor. The copies are ours, so that a held packet never keeps a
 * buffer of the wrapped port. A slot may be lent to the lane, with a handle no port uses: its sign bit is set.
 */
final class PacketStore {
    static final int NONE = -1;

    private static final long OURS = Long.MIN_VALUE;
    private static final int ALIGNMENT = 64;

    private final UnsafeBuffer bytes;
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
    private final int slotBytes;
    private final int[] free;
    private int freeCount;

    private final int[] lengths;
    private final int[] flags;
    private final int[] remotePorts;
    private final int[] localPorts;
    private final int[] scopes;
    private final long[] addressHighs;
    private final long[] addressLows;

    PacketStore(int slots, int frameBytes) {
        this.slotBytes = BitUtil.align(frameBytes, ALIGNMENT);
        this.bytes =
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(Math.multiplyExact(slots, slotBytes), ALIGNMENT));
        this.free = new int[slots];
        for (int slot = slots - 1; slot >= 0; slot--) {
            free[freeCount++] = slot;
        }
        this.lengths = new int[slots];
        this.flags = new int[slots];
        this.remotePorts = new int[slots];
        this.localPorts = new int[slots];
        this.scopes = new int[slots];
        this.addressHighs = new long[slots];
        this.addressLows = new long[slots];
    }

    int slots() {
        return free.length;
    }

    /** Slots held or lent. */
    int used() {
        return free.length - freeCount;
    }

    /**
     * Copies a packet.
     *
     * @return its slot, or {@link #NONE} if the store is full or the packet longer than a slot
     */
    int put(PacketBurst burst, int i) {
        int length = burst.length(i);
        if (freeCount == 0 || length > slotBytes) {
            return NONE;
        }
        int slot = free[--freeCount];
        target.wrap(burst.data(i), length);
        bytes.putBytes(slot * slotBytes, target, 0, length);
        lengths[slot] = length;
        flags[slot] = burst.flags(i);
        remotePorts[slot] = burst.remotePort(i);
        localPorts[slot] = burst.localPort(i);
        scopes[slot] = burst.scope(i);
        addressHighs[slot] = burst.addressHigh(i);
        addressLows[slot] = burst.addressLow(i);
        return slot;
    }

    /** Writes a packet into the buffer of a descriptor and frees its slot. */
    void moveTo(int slot, PacketBurst burst, int i) {
        target.wrap(burst.data(i), lengths[slot]);
        target.putBytes(0, bytes, slot * slotBytes, lengths[slot]);
        describe(slot, burst, i);
        free(slot);
    }

    /** Points a descriptor at our copy; {@link #free} when it comes back. */
    void lend(int slot, PacketBurst burst, int i) {
        burst.handle(i, OURS | slot);
        burst.data(i, bytes.addressOffset() + (long) slot * slotBytes);
        describe(slot, burst, i);
    }

    private void describe(int slot, PacketBurst burst, int i) {
        burst.length(i, lengths[slot]);
        burst.flags(i, flags[slot]);
        burst.remotePort(i, remotePorts[slot]);
        burst.localPort(i, localPorts[slot]);
        burst.scope(i, scopes[slot]);
        burst.address(i, addressHighs[slot], addressLows[slot]);
    }

    void free(int slot) {
        free[freeCount++] = slot;
    }

    static boolean isOurs(long handle) {
        return handle < 0;
    }

    static int slotOf(long handle) {
        return (int) handle;
    }
}
