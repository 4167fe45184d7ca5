// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A burst of packet descriptors in one native block, so that native code and Java see the same bytes. Owned by one lane;
 * filled by {@link PacketPort#receive} or {@link PacketPort#allocate}, and given back by {@link PacketPort#release} or
 * {@link PacketPort#transmit}. Packet bytes stay where the port put them; the block only points at them.
 *
 * <pre>
 *   structure of arrays, each of capacity entries, the block 64-byte aligned, native byte order
 *   handle[]       8 B  the port's own reference (mbuf pointer, slot number)
 *   data[]         8 B  address of the packet's first byte
 *   addressHigh[]  8 B  remote IPv6 address, first eight bytes as a big-endian number (IPv4: mapped, ::ffff:a.b.c.d)
 *   addressLow[]   8 B  remote IPv6 address, last eight bytes
 *   length[]       4 B  bytes of the packet
 *   flags[]        4 B  bits 0-1 ECN, see {@link Ecn}; the rest reserved, zero
 *   remotePort[]   4 B  UDP port of the peer
 *   localPort[]    4 B  our UDP port: received at, or to be sent from (the path's entropy)
 *   scope[]        4 B  IPv6 scope id (interface index) of a link-local remote address, else 0
 * </pre>
 *
 * The address, port and scope arrays are meaningful with {@link Framing#DATAGRAM} only.
 */
public final class PacketBurst {
    /** Largest number of descriptors a burst can hold. */
    public static final int CAPACITY_MAX = 256;

    private static final int ALIGNMENT = 64;
    private static final int BYTES_PER_DESCRIPTOR = 4 * Long.BYTES + 5 * Integer.BYTES;

    private final UnsafeBuffer block;
    private final int capacity;
    private final int dataOffset;
    private final int addressHighOffset;
    private final int addressLowOffset;
    private final int lengthOffset;
    private final int flagsOffset;
    private final int remotePortOffset;
    private final int localPortOffset;
    private final int scopeOffset;
    private int size;

    /**
     * @param capacity descriptors, 1 to {@link #CAPACITY_MAX}
     */
    public PacketBurst(int capacity) {
        if (capacity < 1 || capacity > CAPACITY_MAX) {
            throw new IllegalArgumentException("burst capacity must be 1.." + CAPACITY_MAX + ", was " + capacity);
        }
        this.capacity = capacity;
        this.block = new UnsafeBuffer(BufferUtil.allocateDirectAligned(capacity * BYTES_PER_DESCRIPTOR, ALIGNMENT));
        this.dataOffset = capacity * Long.BYTES;
        this.addressHighOffset = 2 * capacity * Long.BYTES;
        this.addressLowOffset = 3 * capacity * Long.BYTES;
        this.lengthOffset = 4 * capacity * Long.BYTES;
        this.flagsOffset = lengthOffset + capacity * Integer.BYTES;
        this.remotePortOffset = flagsOffset + capacity * Integer.BYTES;
        this.localPortOffset = remotePortOffset + capacity * Integer.BYTES;
        this.scopeOffset = localPortOffset + capacity * Integer.BYTES;
    }

    public int capacity() {
        return capacity;
    }

    /** Descriptors in use: {@code 0..capacity}. */
    public int size() {
        return size;
    }

    public void size(int newSize) {
        assert newSize >= 0 && newSize <= capacity;
        size = newSize;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Address of the block, for native code. */
    public long blockAddress() {
        return block.addressOffset();
    }

    public long handle(int index) {
        return block.getLong(index * Long.BYTES);
    }

    public void handle(int index, long handle) {
        block.putLong(index * Long.BYTES, handle);
    }

    public long data(int index) {
        return block.getLong(dataOffset + index * Long.BYTES);
    }

    public void data(int index, long address) {
        block.putLong(dataOffset + index * Long.BYTES, address);
    }

    public long addressHigh(int index) {
        return block.getLong(addressHighOffset + index * Long.BYTES);
    }

    public long addressLow(int index) {
        return block.getLong(addressLowOffset + index * Long.BYTES);
    }

    public void address(int index, long high, long low) {
        block.putLong(addressHighOffset + index * Long.BYTES, high);
        block.putLong(addressLowOffset + index * Long.BYTES, low);
    }

    public int length(int index) {
        return block.getInt(lengthOffset + index * Integer.BYTES);
    }

    public void length(int index, int bytes) {
        block.putInt(lengthOffset + index * Integer.BYTES, bytes);
    }

    public int flags(int index) {
        return block.getInt(flagsOffset + index * Integer.BYTES);
    }

    public void flags(int index, int flags) {
        block.putInt(flagsOffset + index * Integer.BYTES, flags);
    }

    /** The ECN codepoint of a descriptor, see {@link Ecn}. */
    public int ecn(int index) {
        return flags(index) & Ecn.MASK;
    }

    public int remotePort(int index) {
        return block.getInt(remotePortOffset + index * Integer.BYTES);
    }

    public void remotePort(int index, int port) {
        block.putInt(remotePortOffset + index * Integer.BYTES, port);
    }

    public int localPort(int index) {
        return block.getInt(localPortOffset + index * Integer.BYTES);
    }

    public void localPort(int index, int port) {
        block.putInt(localPortOffset + index * Integer.BYTES, port);
    }

    public int scope(int index) {
        return block.getInt(scopeOffset + index * Integer.BYTES);
    }

    public void scope(int index, int scopeId) {
        block.putInt(scopeOffset + index * Integer.BYTES, scopeId);
    }

    /** Points a reused buffer at the bytes of one descriptor. */
    public void frame(int index, UnsafeBuffer frame) {
        frame.wrap(data(index), length(index));
    }

    /** Copies every field of one descriptor of another burst over one of this burst. */
    public void copyDescriptor(int index, PacketBurst from, int fromIndex) {
        handle(index, from.handle(fromIndex));
        data(index, from.data(fromIndex));
        address(index, from.addressHigh(fromIndex), from.addressLow(fromIndex));
        length(index, from.length(fromIndex));
        flags(index, from.flags(fromIndex));
        remotePort(index, from.remotePort(fromIndex));
        localPort(index, from.localPort(fromIndex));
        scope(index, from.scope(fromIndex));
    }

    /** Drops the first {@code count} descriptors and moves the rest to the front, as after a partial transmit. */
    public void discardFirst(int count) {
        assert count >= 0 && count <= size;
        for (int i = count; i < size; i++) {
            copyDescriptor(i - count, this, i);
        }
        size -= count;
    }
}
