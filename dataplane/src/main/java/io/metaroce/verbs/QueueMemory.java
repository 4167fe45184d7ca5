// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.SlotRing;

/** One ring in the device's memory. */
final class QueueMemory implements AutoCloseable {
    private final Device device;
    private final long address;
    private final int lengthBytes;

    /**
     * Lays out a ring.
     *
     * @param what names the queue in messages
     * @param depth slots wanted; rounded up to a power of two
     */
    QueueMemory(Device device, String what, int depth) {
        int depthMax = Math.min(device.limits().queueDepthMax(), SlotRing.CAPACITY_MAX);
        if (depth < 1 || depth > depthMax) {
            throw new VerbsException(what + " depth must be 1 to " + depthMax + ", not " + depth);
        }
        int capacity = 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(depth - 1));
        this.device = device;
        this.lengthBytes = SlotRing.bytesFor(capacity);
        this.address = device.allocateQueueMemory(lengthBytes);
        SlotRing.format(address, capacity);
    }

    /** A view for one side. */
    SlotRing view() {
        return new SlotRing(address, lengthBytes);
    }

    @Override
    public void close() {
        device.freeQueueMemory(address, lengthBytes);
    }
}
