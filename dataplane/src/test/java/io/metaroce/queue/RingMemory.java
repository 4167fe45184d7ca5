// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

import org.agrona.UnsafeApi;

/** Native memory for one ring, with bytes around it that must not change. */
final class RingMemory implements AutoCloseable {
    private static final int GUARD_BYTES = 128;
    private static final byte GUARD = 0x6b;

    private final long block;
    private final long address;
    private final int lengthBytes;

    RingMemory(int capacity) {
        lengthBytes = SlotRing.bytesFor(capacity);
        block = UnsafeApi.allocateMemory(lengthBytes + 2L * GUARD_BYTES);
        UnsafeApi.setMemory(block, lengthBytes + 2L * GUARD_BYTES, GUARD);
        address = block + GUARD_BYTES;
        SlotRing.format(address, capacity);
    }

    SlotRing view() {
        return new SlotRing(address, lengthBytes);
    }

    long address() {
        return address;
    }

    int lengthBytes() {
        return lengthBytes;
    }

    void overwriteIndices(long producer, long consumer) {
        UnsafeApi.putLong(address + 64, producer);
        UnsafeApi.putLong(address + 128, consumer);
    }

    boolean guardIsIntact() {
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (UnsafeApi.getByte(block + i) != GUARD || UnsafeApi.getByte(address + lengthBytes + i) != GUARD) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(block);
    }
}
