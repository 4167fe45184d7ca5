// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryKey;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.port.IpAddress;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.connection.Arrival;
import io.metaroce.transport.connection.TransmitFrame;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the connections of one fabric share, since one acts at a time: scratch memory, parser, views, and a registration
 * that names memory nobody touches, for payload is only counted.
 */
public final class MopWorld {
    static final int PROTECTION_DOMAIN = 1;
    static final int KEY = MemoryKey.of(1, 0x5151);
    static final long REGION_ADDRESS = 1L << 40;
    static final int SCRATCH_BYTES = 9_216;
    /** Each entropy is a source port of the range from 49152 upwards. */
    public static final int SOURCE_PORTS = 16_384;

    private static final long REGION_BYTES = 1L << 32;
    private static final int SLAB_BYTES = 1 << 20;

    final PacketParser parser;
    final PacketView parsed = new PacketView();
    final Arrival arrival = new Arrival();
    final TransmitFrame frame = new TransmitFrame();
    final WorkRequestSlot request = new WorkRequestSlot();
    final ReceiveSlot receive = new ReceiveSlot();
    final CompletionSlot completion = new CompletionSlot();
    private final PacketPool pool;
    private final MemoryRegionTable memory = MemoryRegionTable.countedOnly();
    private final Crc32c crc = Crc32c.countedOnly();
    private final UnsafeBuffer scratch = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SCRATCH_BYTES, 64));
    private final UnsafeBuffer looked = new UnsafeBuffer(0, 0);
    /** Rings and counters in slabs, kept here so that they stay mapped. */
    private final List<ByteBuffer> slabs = new ArrayList<>();

    private int slabUsed = SLAB_BYTES;

    public MopWorld(PacketPool pool) {
        this.pool = pool;
        this.parser = new PacketParser(crc);
        memory.install(KEY, REGION_ADDRESS, REGION_BYTES, AccessFlags.ALL, PROTECTION_DOMAIN);
    }

    PacketPool pool() {
        return pool;
    }

    MemoryRegionTable memory() {
        return memory;
    }

    Crc32c crc() {
        return crc;
    }

    long scratchAddress() {
        return scratch.addressOffset();
    }

    /** The packet's bytes where they lie; those beyond the kept ones are never read, since payload is only counted. */
    UnsafeBuffer look(int packet) {
        looked.wrap(pool.bytesAddress(packet), SCRATCH_BYTES);
        return looked;
    }

    ConnectionCounters newCounters(int paths) {
        return new ConnectionCounters(claim(ConnectionCounters.bytesFor(paths)), 0, paths);
    }

    SlotRing newRing(int slots) {
        int bytes = SlotRing.bytesFor(slots);
        UnsafeBuffer ring = claim(bytes);
        SlotRing.format(ring.addressOffset(), slots);
        return new SlotRing(ring.addressOffset(), bytes);
    }

    /** Host's address on a plane: 10.plane.high.low with 14 bits of host, or more where planes are few. */
    public static long address(int host, int plane) {
        return IpAddress.mapped(0x0a00_0000 | plane << 20 | host + 1);
    }

    private UnsafeBuffer claim(int bytes) {
        int aligned = (bytes + 63) & -64;
        if (slabUsed + aligned > SLAB_BYTES) {
            slabs.add(BufferUtil.allocateDirectAligned(Math.max(SLAB_BYTES, aligned), 64));
            slabUsed = 0;
        }
        UnsafeBuffer claimed = new UnsafeBuffer(slabs.get(slabs.size() - 1), slabUsed, aligned);
        slabUsed += aligned;
        return claimed;
    }
}
