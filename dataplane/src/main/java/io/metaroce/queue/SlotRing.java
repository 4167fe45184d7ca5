// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A ring of 64-byte slots with one producer and one consumer, in memory that both map. Indices only grow; a slot's place is
 * its index modulo the capacity.
 *
 * <pre>
 *   offset                                                  written by
 *      0   layout version:32, capacity in slots:32          creator, before sharing
 *     64   producer index:64   slots published so far       producer (release), read by the consumer (acquire)
 *    128   consumer index:64   slots given back so far      consumer (release), read by the producer (acquire)
 *    192   slots, 64 bytes each, native byte order
 * </pre>
 */
public class SlotRing {
    public static final int LAYOUT_VERSION = 1;
    public static final int SLOT_LENGTH = 64;
    /** Largest number of slots of a ring. */
    public static final int CAPACITY_MAX = 1 << 20;

    private static final int VERSION_OFFSET = 0;
    private static final int CAPACITY_OFFSET = 4;
    private static final int PRODUCER_OFFSET = 64;
    private static final int CONSUMER_OFFSET = 128;
    private static final int SLOTS_OFFSET = 192;

    private final UnsafeBuffer memory;
    private final int capacity;
    private final int mask;
    /**
     * Our own index, whichever side we are. The shared copy only announces it: the other side, perhaps another process, can
     * scribble over it without moving us.
     */
    private long producer;

    private long consumer;
    /** Where the other side was last seen, so that its cache line is read only when that no longer suffices. */
    private long producerSeen;

    private long consumerSeen;

    /**
     * Looks at a ring that {@link #format} has laid out; refuses another layout. One view serves one producer, one consumer, or
     * one of each; two views never produce, or consume, from the same ring at the same time.
     *
     * @param address a multiple of 8, so that indices are read and written whole
     */
    public SlotRing(long address, int lengthBytes) {
        if ((address & (Long.BYTES - 1)) != 0 || lengthBytes < bytesFor(1)) {
            throw new IllegalArgumentException("a ring takes at least " + bytesFor(1)
                    + " bytes at a multiple of 8, not " + lengthBytes + " bytes at 0x" + Long.toHexString(address));
        }
        this.memory = new UnsafeBuffer(address, lengthBytes);
        this.capacity = memory.getInt(CAPACITY_OFFSET);
        this.mask = capacity - 1;
        int version = memory.getInt(VERSION_OFFSET);
        if (version != LAYOUT_VERSION || !isCapacity(capacity) || lengthBytes < bytesFor(capacity)) {
            throw new IllegalArgumentException("not a ring of layout " + LAYOUT_VERSION + ": layout " + version
                    + ", capacity " + capacity + ", bytes " + lengthBytes);
        }
        this.producer = produced();
        this.consumer = consumed();
    }

    /** Bytes that a ring of so many slots takes. */
    public static int bytesFor(int capacity) {
        return SLOTS_OFFSET + capacity * SLOT_LENGTH;
    }

    public static boolean isCapacity(int slots) {
        return slots >= 1 && slots <= CAPACITY_MAX && Integer.bitCount(slots) == 1;
    }

    /** Lays an empty ring out in zeroed or used memory; before anybody else looks at it. */
    public static void format(long address, int capacity) {
        if (!isCapacity(capacity)) {
            throw new IllegalArgumentException("ring capacity must be a power of two up to " + CAPACITY_MAX);
        }
        UnsafeBuffer memory = new UnsafeBuffer(address, bytesFor(capacity));
        memory.setMemory(0, bytesFor(capacity), (byte) 0);
        memory.putInt(VERSION_OFFSET, LAYOUT_VERSION);
        memory.putInt(CAPACITY_OFFSET, capacity);
    }

    public final int capacity() {
        return capacity;
    }

    /** Slots published since the ring began; any side. */
    public final long produced() {
        return memory.getLongAcquire(PRODUCER_OFFSET);
    }

    /** Slots given back since the ring began; any side. */
    public final long consumed() {
        return memory.getLongAcquire(CONSUMER_OFFSET);
    }

    /** Producer: whether a slot is free. */
    public final boolean canProduce() {
        if (producer - consumerSeen < capacity) {
            return true;
        }
        consumerSeen = consumed();
        return producer - consumerSeen < capacity;
    }

    /** Producer: points the slot view at the next free slot; only when {@link #canProduce}. */
    public final void claim(Slot slot) {
        slot.wrap(memory, offsetOf(producer));
    }

    /** Producer: makes the claimed slot visible to the consumer. */
    public final void publish() {
        producer++;
        memory.putLongRelease(PRODUCER_OFFSET, producer);
    }

    /** Consumer: slots known to wait. None only if there is none; the producer is asked again when the known ones are used. */
    public final int available() {
        if (producerSeen - consumer <= 0) {
            producerSeen = produced();
        }
        // A producer in another process is not trusted to keep its index sane.
        return (int) Math.min(Math.max(producerSeen - consumer, 0), capacity);
    }

    /** Consumer: points the slot view at the oldest waiting slot; only when something is {@link #available}. */
    public final void peek(Slot slot) {
        slot.wrap(memory, offsetOf(consumer));
    }

    /** Consumer: points the slot view at the slot of an index between {@link #consumed} and {@link #produced}. */
    public final void slotAt(long index, Slot slot) {
        slot.wrap(memory, offsetOf(index));
    }

    /** Consumer: gives the oldest slot back. */
    public final void release() {
        consumer++;
        memory.putLongRelease(CONSUMER_OFFSET, consumer);
    }

    private int offsetOf(long index) {
        return SLOTS_OFFSET + ((int) index & mask) * SLOT_LENGTH;
    }
}
