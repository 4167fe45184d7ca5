// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/** Memory that the device may read and, as its access flags say, write. */
public final class MemoryRegion implements AutoCloseable {
    private final ProtectionDomain domain;
    private final long address;
    private final long length;
    private final int key;
    private boolean isClosed;

    MemoryRegion(ProtectionDomain domain, long address, long length, int accessFlags) {
        this.domain = domain;
        this.address = address;
        this.length = length;
        this.key = domain.context().device().registerMemory(domain.number(), address, length, accessFlags);
        domain.childOpened();
    }

    public long address() {
        return address;
    }

    /** In bytes. */
    public long length() {
        return length;
    }

    /** Names the region in work requests posted here. */
    public int lkey() {
        return key;
    }

    /** Names the region to the peer. */
    public int rkey() {
        return key;
    }

    /** Deregisters; the memory may be freed afterwards, and the keys never work again. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            domain.context().device().deregisterMemory(key);
            domain.childClosed();
        }
    }
}
