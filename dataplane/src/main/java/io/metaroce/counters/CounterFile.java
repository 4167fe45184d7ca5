// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import java.nio.charset.StandardCharsets;
import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;

/**
 * The counters of one process in memory that others map: who it is, its lanes, and a slot for each living connection.
 *
 * <pre>
 *      0  magic | layout | process id | start, ms since 1970 | lanes | slots | paths of a slot | name (length, bytes)
 *   4096  {@link LaneCounter} rows of lane 0, of lane 1, ...; each lane on cache lines of its own
 *      n  slot 0, slot 1, ...
 *
 *   slot   0  generation: odd while a connection lives in it
 *          8  connection id | paths of the connection
 *         16  peer (length, bytes)
 *        128  {@link ConnectionCounters}
 * </pre>
 *
 * The layout number is made of the tables, so that a reader of other tables does not mistake one row for another. One
 * thread claims and releases slots; the connections' own threads count; anyone reads, and reads again if a slot's generation
 * has changed meanwhile.
 */
public final class CounterFile {
    /** Longest name of a process or peer that is kept, in bytes of UTF-8; more is cut. */
    public static final int NAME_MAX = 96;

    /** Largest file, so that every offset is an {@code int}. */
    public static final int BYTES_MAX = 1 << 30;

    private static final long MAGIC = 0x314f_4345_544e_554fL;
    private static final int MAGIC_OFFSET = 0;
    private static final int LAYOUT_OFFSET = 8;
    private static final int PROCESS_OFFSET = 16;
    private static final int START_OFFSET = 24;
    private static final int LANES_OFFSET = 32;
    private static final int SLOTS_OFFSET = 36;
    private static final int PATHS_OFFSET = 40;
    private static final int NAME_OFFSET = 48;
    private static final int LANE_ROWS_OFFSET = 4096;
    private static final int SLOT_ID_OFFSET = 8;
    private static final int SLOT_PATHS_OFFSET = 12;
    private static final int SLOT_PEER_OFFSET = 16;
    private static final int SLOT_HEADER_BYTES = 128;

    private static final int LANE_BYTES =
            BitUtil.align(CounterBlock.bytesFor(LaneCounter.count()), BitUtil.CACHE_LINE_LENGTH);

    /**
     * What a file has room for.
     *
     * @param lanes of the process
     * @param slots for connections that live at the same time
     * @param paths of each connection, 1 to 255
     */
    public record Shape(int lanes, int slots, int paths) {
        /**
         * Bytes of the file.
         *
         * @throws IllegalArgumentException if it would be longer than {@link #BYTES_MAX}
         */
        public int bytes() {
            long bytes = LANE_ROWS_OFFSET + (long) lanes * LANE_BYTES + (long) slots * slotBytes(paths);
            if (bytes > BYTES_MAX) {
                throw new IllegalArgumentException(bytes + " bytes of counters are more than " + BYTES_MAX);
            }
            return (int) bytes;
        }

        /** The same with as many of these slots as fit a file. */
        public Shape thatFits() {
            long room = BYTES_MAX - LANE_ROWS_OFFSET - (long) lanes * LANE_BYTES;
            return new Shape(lanes, (int) Math.min(slots, room / slotBytes(paths)), paths);
        }
    }

    private final AtomicBuffer memory;
    private final int lanes;
    private final int slots;
    private final int paths;
    /** The slot released longest ago is claimed first, so that a late reader finds its numbers for as long as possible. */
    private int nextSlot;

    private CounterFile(AtomicBuffer memory) {
        this.memory = memory;
        this.lanes = memory.getInt(LANES_OFFSET);
        this.slots = memory.getInt(SLOTS_OFFSET);
        this.paths = memory.getInt(PATHS_OFFSET);
    }

    /**
     * Describes a new file in zeroed memory; the last thing written is what makes it readable.
     *
     * @param startMs when the process started, in ms since 1970, for people
     */
    public static CounterFile format(AtomicBuffer memory, String name, long processId, long startMs, Shape shape) {
        memory.boundsCheck(0, shape.bytes());
        memory.putLong(PROCESS_OFFSET, processId);
        memory.putLong(START_OFFSET, startMs);
        memory.putInt(LANES_OFFSET, shape.lanes);
        memory.putInt(SLOTS_OFFSET, shape.slots);
        memory.putInt(PATHS_OFFSET, shape.paths);
        memory.putLong(LAYOUT_OFFSET, layout());
        putName(memory, NAME_OFFSET, name);
        memory.putLongRelease(MAGIC_OFFSET, MAGIC);
        return new CounterFile(memory);
    }

    /**
     * Reads a file that another process writes.
     *
     * @throws IllegalArgumentException with one clause if it is not such a file, or one of other tables
     */
    public static CounterFile read(AtomicBuffer memory) {
        if (memory.capacity() < LANE_ROWS_OFFSET || memory.getLongAcquire(MAGIC_OFFSET) != MAGIC) {
            throw new IllegalArgumentException("not a file of counters");
        }
        if (memory.getLong(LAYOUT_OFFSET) != layout()) {
            throw new IllegalArgumentException("written by another version");
        }
        CounterFile file = new CounterFile(memory);
        boolean isSane = file.lanes >= 1 && file.slots >= 0 && file.paths >= 1 && file.paths <= 255;
        if (!isSane || memory.capacity() < new Shape(file.lanes, file.slots, file.paths).bytes()) {
            throw new IllegalArgumentException("cut short or damaged");
        }
        return file;
    }

    public String name() {
        return name(NAME_OFFSET);
    }

    public long processId() {
        return memory.getLong(PROCESS_OFFSET);
    }

    public long startMs() {
        return memory.getLong(START_OFFSET);
    }

    public int lanes() {
        return lanes;
    }

    public int slots() {
        return slots;
    }

    /** Rows of {@link LaneCounter}. */
    public CounterBlock lane(int lane) {
        assert lane >= 0 && lane < lanes;
        return new CounterBlock(memory, LANE_ROWS_OFFSET + lane * LANE_BYTES, LaneCounter.count());
    }

    /**
     * Gives a new connection a slot of zeros; the one thread that also releases.
     *
     * @param pathCount paths of the connection, at most those a slot has room for
     * @return its number; -1 if none is free
     */
    public int claim(int connectionId, String peer, int pathCount) {
        for (int i = 0; i < slots; i++) {
            int slot = nextSlot;
            nextSlot = slot + 1 == slots ? 0 : slot + 1;
            int offset = offsetOf(slot);
            long generation = memory.getLong(offset);
            if ((generation & 1) == 0) {
                memory.setMemory(offset + SLOT_ID_OFFSET, slotBytes(paths) - SLOT_ID_OFFSET, (byte) 0);
                memory.putInt(offset + SLOT_ID_OFFSET, connectionId);
                memory.putInt(offset + SLOT_PATHS_OFFSET, pathCount);
                putName(memory, offset + SLOT_PEER_OFFSET, peer);
                memory.putLongRelease(offset, generation + 1);
                return slot;
            }
        }
        return -1;
    }

    /** The connection has ended; its numbers stay readable until the slot is claimed again. */
    public void release(int slot) {
        int offset = offsetOf(slot);
        memory.putLongRelease(offset, memory.getLong(offset) + 1);
    }

    /** Changes whenever the slot is claimed or released; odd while a connection lives in it. */
    public long generation(int slot) {
        return memory.getLongAcquire(offsetOf(slot));
    }

    public int connectionId(int slot) {
        return memory.getInt(offsetOf(slot) + SLOT_ID_OFFSET);
    }

    public String peer(int slot) {
        return name(offsetOf(slot) + SLOT_PEER_OFFSET);
    }

    /** The numbers of the connection in a slot. */
    public ConnectionCounters counters(int slot) {
        int pathCount = Math.max(1, Math.min(memory.getInt(offsetOf(slot) + SLOT_PATHS_OFFSET), paths));
        return new ConnectionCounters(memory, offsetOf(slot) + SLOT_HEADER_BYTES, pathCount);
    }

    private int offsetOf(int slot) {
        assert slot >= 0 && slot < slots;
        return LANE_ROWS_OFFSET + lanes * LANE_BYTES + slot * slotBytes(paths);
    }

    private String name(int offset) {
        int length = Math.max(0, Math.min(memory.getInt(offset), NAME_MAX));
        byte[] bytes = new byte[length];
        memory.getBytes(offset + Integer.BYTES, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void putName(AtomicBuffer memory, int offset, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, NAME_MAX);
        memory.putInt(offset, length);
        memory.putBytes(offset + Integer.BYTES, bytes, 0, length);
    }

    private static int slotBytes(int paths) {
        return SLOT_HEADER_BYTES + ConnectionCounters.bytesFor(paths);
    }

    /** A number of the tables: names and order of every row. */
    private static long layout() {
        long hash = 0xcbf2_9ce4_8422_2325L;
        for (ConnectionCounter row : ConnectionCounter.values()) {
            hash = mix(hash, row.name());
        }
        for (PathCounter row : PathCounter.values()) {
            hash = mix(hash, row.name());
        }
        for (LaneCounter row : LaneCounter.values()) {
            hash = mix(hash, row.name());
        }
        return hash;
    }

    private static long mix(long hash, String name) {
        long mixed = hash;
        for (int i = 0; i < name.length(); i++) {
            mixed = (mixed ^ name.charAt(i)) * 0x0000_0100_0000_01b3L;
        }
        return (mixed ^ '\n') * 0x0000_0100_0000_01b3L;
    }
}
