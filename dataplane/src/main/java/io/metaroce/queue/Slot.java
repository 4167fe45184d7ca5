// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

import org.agrona.concurrent.UnsafeBuffer;

/** A view on one slot of a ring; native byte order, since both sides are on one host. */
public abstract class Slot {
    private UnsafeBuffer memory = new UnsafeBuffer(0, 0);
    private int offset;

    final void wrap(UnsafeBuffer ringMemory, int slotOffset) {
        memory = ringMemory;
        offset = slotOffset;
    }

    final long int64(int at) {
        return memory.getLong(offset + at);
    }

    final void int64(int at, long value) {
        memory.putLong(offset + at, value);
    }

    final int int32(int at) {
        return memory.getInt(offset + at);
    }

    final void int32(int at, int value) {
        memory.putInt(offset + at, value);
    }

    final int uint8(int at) {
        return memory.getByte(offset + at) & 0xff;
    }

    final void uint8(int at, int value) {
        memory.putByte(offset + at, (byte) value);
    }
}
