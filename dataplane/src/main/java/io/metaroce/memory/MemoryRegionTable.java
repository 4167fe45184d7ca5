// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

import org.agrona.UnsafeApi;

/**
 * The registrations a lane may touch. Every access names key, protection domain, address and length, and is checked here
 * and nowhere else; the check holds for any arguments, also hostile ones, and does not depend on assertions.
 *
 * <p>Zero bytes touch nothing and need no right, as in verbs. Several lanes hold equal tables, kept so by commands.
 */
public final class MemoryRegionTable {
    private static final int ADDRESS = 0;
    private static final int LENGTH = 1;
    private static final int FIELDS = 2;

    private final int[] keys = new int[MemoryKey.INDEX_COUNT];
    private final int[] access = new int[MemoryKey.INDEX_COUNT];
    private final int[] domains = new int[MemoryKey.INDEX_COUNT];
    private final long[] extents = new long[MemoryKey.INDEX_COUNT * FIELDS];
    private final boolean isCounted;
    private int count;

    public MemoryRegionTable() {
        this(false);
    }

    private MemoryRegionTable(boolean isCounted) {
        this.isCounted = isCounted;
    }

    /**
     * For simulations that carry headers and only count payload: accesses are judged as ever, no byte is copied, and the
     * registered addresses need not exist.
     */
    public static MemoryRegionTable countedOnly() {
        return new MemoryRegionTable(true);
    }

    /**
     * Makes a registration usable.
     *
     * @param key from {@link MemoryKey#of}; its index must be free
     * @param address first byte; the memory stays mapped until after {@link #remove}
     * @param length in bytes, at least 1
     * @return false, and nothing changed, if the key is not of that form, its index is taken, or the range is empty or wraps
     */
    public boolean install(int key, long address, long length, int accessFlags, int protectionDomain) {
        int index = MemoryKey.index(key);
        // A key of tag 0 would be the mark of a free index.
        if (!MemoryKey.isKey(key) || keys[index] != 0) {
            return false;
        }
        if (length < 1 || Long.compareUnsigned(address + length - 1, address) < 0) {
            return false;
        }
        access[index] = accessFlags;
        domains[index] = protectionDomain;
        extents[index * FIELDS + ADDRESS] = address;
        extents[index * FIELDS + LENGTH] = length;
        keys[index] = key;
        count++;
        return true;
    }

    /** Makes a registration unusable at once; returns whether the key named one. */
    public boolean remove(int key) {
        int index = MemoryKey.index(key);
        if (key == 0 || keys[index] != key) {
            return false;
        }
        keys[index] = 0;
        count--;
        return true;
    }

    /** Registrations in the table. */
    public int count() {
        return count;
    }

    /**
     * Judges an access without performing it.
     *
     * @param accessNeeded bits of {@link AccessFlags} that must all be granted; 0 for a local read
     */
    public MemoryCheck check(int key, int protectionDomain, long address, long length, int accessNeeded) {
        // MOP-STR-8
        if (length == 0) {
            return MemoryCheck.OK;
        }
        int index = MemoryKey.index(key);
        if (key == 0 || keys[index] != key) {
            return MemoryCheck.UNKNOWN_KEY;
        }
        if (domains[index] != protectionDomain) {
            return MemoryCheck.DOMAIN;
        }
        if ((access[index] & accessNeeded) != accessNeeded) {
            return MemoryCheck.PERMISSION;
        }
        // MOP-SEC-4: Compared as distances from the region's start, so that neither sum can wrap.
        long distance = address - extents[index * FIELDS + ADDRESS];
        long regionLength = extents[index * FIELDS + LENGTH];
        boolean isInside = length > 0 && distance >= 0 && length <= regionLength && distance <= regionLength - length;
        return isInside ? MemoryCheck.OK : MemoryCheck.RANGE;
    }

    /** Copies {@code length} bytes from a packet into registered memory if {@link #check} permits it, else nothing. */
    public MemoryCheck copyIn(
            int key, int protectionDomain, long address, long sourceAddress, int length, int accessNeeded) {
        // MOP-RCV-27
        MemoryCheck verdict = check(key, protectionDomain, address, length, accessNeeded);
        if (verdict == MemoryCheck.OK && length > 0 && !isCounted) {
            UnsafeApi.copyMemory(sourceAddress, address, length);
        }
        return verdict;
    }

    /** Copies {@code length} bytes of registered memory into a packet if {@link #check} permits it, else nothing. */
    public MemoryCheck copyOut(
            int key, int protectionDomain, long address, long destinationAddress, int length, int accessNeeded) {
        MemoryCheck verdict = check(key, protectionDomain, address, length, accessNeeded);
        if (verdict == MemoryCheck.OK && length > 0 && !isCounted) {
            UnsafeApi.copyMemory(address, destinationAddress, length);
        }
        return verdict;
    }
}
