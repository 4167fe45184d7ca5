// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import org.agrona.UnsafeApi;

/** Zeroed, page-aligned memory outside the heap, registered for as long as it lives. */
public final class RegisteredBuffer implements AutoCloseable {
    private static final long PAGE_BYTES = 4096;

    private final long allocation;
    private final MemoryRegion region;
    private boolean isClosed;

    private RegisteredBuffer(long allocation, MemoryRegion region) {
        this.allocation = allocation;
        this.region = region;
    }

    /**
     * Allocates and registers.
     *
     * @param length bytes, at least 1
     * @param accessFlags as for {@link ProtectionDomain#registerMemory}
     */
    public static RegisteredBuffer allocate(ProtectionDomain domain, long length, int accessFlags) {
        if (length < 1) {
            throw new IllegalArgumentException("a buffer is at least one byte, not " + length);
        }
        long allocation = UnsafeApi.allocateMemory(Math.addExact(length, PAGE_BYTES - 1));
        try {
            long address = (allocation + PAGE_BYTES - 1) & -PAGE_BYTES;
            UnsafeApi.setMemory(address, length, (byte) 0);
            return new RegisteredBuffer(allocation, domain.registerMemory(address, length, accessFlags));
        } catch (RuntimeException e) {
            UnsafeApi.freeMemory(allocation);
            throw e;
        }
    }

    public MemoryRegion region() {
        return region;
    }

    public long address() {
        return region.address();
    }

    /** In bytes. */
    public long length() {
        return region.length();
    }

    public int lkey() {
        return region.lkey();
    }

    public int rkey() {
        return region.rkey();
    }

    /** Deregisters, then frees. If deregistering fails, a lane may still write here, so the memory is leaked instead. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            region.close();
            UnsafeApi.freeMemory(allocation);
        }
    }
}
