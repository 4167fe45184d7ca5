// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import org.agrona.UnsafeApi;

/**
 * All packets of a fabric: records outside the heap, named by number, on a free list. The operating system gives memory only
 * to records that were ever used.
 *
 * <pre>
 *    0 next:32 in the free list      4 bytes on the wire:32      8 destination host:32   12 source host:32
 *   16 hash of the flow:64         24 source port:16  26 plane:8  27 ECN:8  28 class:8  29 flags:8  30 hops:16
 *   32 destination endpoint:32     36 bytes of transport packet:32   40 ingress link:32
 *   48 time when it was handed to the wire:64
 *   64 the packet's own bytes: headers, or everything if payload is carried
 * </pre>
 */
public final class PacketPool implements AutoCloseable {
    /** End of a list. */
    public static final int NONE = -1;
    /** Bytes kept of each packet where payload is only counted: room for every header and acknowledgement. */
    public static final int HEADERS_ONLY = 128;
    /** Traffic class of data and of the probes that follow it; the other is {@link #CONTROL}. */
    public static final int DATA = 0;
    /** Traffic class of acknowledgements and everything else without a place in a path's order. */
    public static final int CONTROL = 1;

    private static final int NEXT = 0;
    private static final int WIRE_BYTES = 4;
    private static final int DESTINATION = 8;
    private static final int SOURCE = 12;
    private static final int FLOW_HASH = 16;
    private static final int SOURCE_PORT = 24;
    private static final int PLANE = 26;
    private static final int ECN = 27;
    private static final int CLASS = 28;
    private static final int FLAGS = 29;
    private static final int HOPS = 30;
    private static final int ENDPOINT = 32;
    private static final int LENGTH = 36;
    private static final int INGRESS = 40;
    private static final int SENT = 48;
    private static final int BYTES = 64;
    private static final int CORRUPT = 1;

    private final long base;
    private final int stride;
    private final int capacity;
    private final int keptBytes;
    private int fresh;
    private int free = NONE;
    private int inUse;

    /**
     * @param capacity packets at one time, a bound: more is an error of the scenario
     * @param keptBytes bytes of each packet that are kept, {@link #HEADERS_ONLY} or a whole packet
     */
    public PacketPool(int capacity, int keptBytes) {
        this.capacity = capacity;
        this.keptBytes = keptBytes;
        this.stride = (BYTES + keptBytes + 63) & -64;
        this.base = UnsafeApi.allocateMemory((long) capacity * stride);
    }

    /** A record whose fields are all undefined. */
    public int claim() {
        inUse++;
        if (free != NONE) {
            int packet = free;
            free = next(packet);
            return packet;
        }
        if (fresh == capacity) {
            throw new IllegalStateException("more than " + capacity + " packets at one time in the fabric");
        }
        return fresh++;
    }

    public void release(int packet) {
        inUse--;
        next(packet, free);
        free = packet;
    }

    int copyOf(int packet) {
        int copy = claim();
        UnsafeApi.copyMemory(at(packet, 0), at(copy, 0), stride);
        return copy;
    }

    /** Records claimed and not released. */
    public int inUse() {
        return inUse;
    }

    int keptBytes() {
        return keptBytes;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(base);
    }

    /** Where the packet's own bytes begin. */
    public long bytesAddress(int packet) {
        return at(packet, BYTES);
    }

    private int next(int packet) {
        return UnsafeApi.getInt(at(packet, NEXT));
    }

    private void next(int packet, int next) {
        UnsafeApi.putInt(at(packet, NEXT), next);
    }

    /** Bytes that the packet occupies on a link: with all framing, preamble and gap. */
    public int wireBytes(int packet) {
        return UnsafeApi.getInt(at(packet, WIRE_BYTES));
    }

    public int destination(int packet) {
        return UnsafeApi.getInt(at(packet, DESTINATION));
    }

    public int source(int packet) {
        return UnsafeApi.getInt(at(packet, SOURCE));
    }

    long flowHash(int packet) {
        return UnsafeApi.getLong(at(packet, FLOW_HASH));
    }

    public int sourcePort(int packet) {
        return UnsafeApi.getShort(at(packet, SOURCE_PORT)) & 0xffff;
    }

    public int plane(int packet) {
        return UnsafeApi.getByte(at(packet, PLANE));
    }

    public int ecn(int packet) {
        return UnsafeApi.getByte(at(packet, ECN));
    }

    public void ecn(int packet, int ecn) {
        UnsafeApi.putByte(at(packet, ECN), (byte) ecn);
    }

    /** {@link #DATA} or {@link #CONTROL}. */
    public int trafficClass(int packet) {
        return UnsafeApi.getByte(at(packet, CLASS));
    }

    public boolean isCorrupt(int packet) {
        return (UnsafeApi.getByte(at(packet, FLAGS)) & CORRUPT) != 0;
    }

    void corrupt(int packet) {
        UnsafeApi.putByte(at(packet, FLAGS), (byte) (UnsafeApi.getByte(at(packet, FLAGS)) | CORRUPT));
    }

    int hops(int packet) {
        return UnsafeApi.getShort(at(packet, HOPS));
    }

    void hops(int packet, int hops) {
        UnsafeApi.putShort(at(packet, HOPS), (short) hops);
    }

    /** The endpoint it is for, by number within its destination host. */
    public int endpoint(int packet) {
        return UnsafeApi.getInt(at(packet, ENDPOINT));
    }

    /** Bytes of the transport's packet, without any framing of the network. */
    public int length(int packet) {
        return UnsafeApi.getInt(at(packet, LENGTH));
    }

    int ingress(int packet) {
        return UnsafeApi.getInt(at(packet, INGRESS));
    }

    void ingress(int packet, int link) {
        UnsafeApi.putInt(at(packet, INGRESS), link);
    }

    /** When its host handed it to the wire. */
    public long sentPs(int packet) {
        return UnsafeApi.getLong(at(packet, SENT));
    }

    void sentPs(int packet, long timePs) {
        UnsafeApi.putLong(at(packet, SENT), timePs);
    }

    /** What the transport says of a packet: its length, class and entropy; the rest follows from the route. */
    public void describe(int packet, int length, int trafficClass, int sourcePort, int plane) {
        UnsafeApi.putInt(at(packet, LENGTH), length);
        UnsafeApi.putInt(at(packet, WIRE_BYTES), length + Framing.OVERHEAD_BYTES);
        UnsafeApi.putShort(at(packet, SOURCE_PORT), (short) sourcePort);
        UnsafeApi.putByte(at(packet, PLANE), (byte) plane);
        UnsafeApi.putByte(at(packet, ECN), (byte) Framing.ECT_0);
        UnsafeApi.putByte(at(packet, CLASS), (byte) trafficClass);
        UnsafeApi.putByte(at(packet, FLAGS), (byte) 0);
        UnsafeApi.putShort(at(packet, HOPS), (short) 0);
        UnsafeApi.putInt(at(packet, INGRESS), NONE);
    }

    /** Where a packet goes, after {@link #describe}. */
    public void route(int packet, int source, int destination, int endpoint) {
        UnsafeApi.putInt(at(packet, SOURCE), source);
        UnsafeApi.putInt(at(packet, DESTINATION), destination);
        UnsafeApi.putInt(at(packet, ENDPOINT), endpoint);
        long tuple = (long) source << 40 ^ (long) destination << 16 ^ sourcePort(packet);
        UnsafeApi.putLong(at(packet, FLOW_HASH), Hash.mix(tuple));
    }

    private long at(int packet, int offset) {
        return base + (long) packet * stride + offset;
    }
}
