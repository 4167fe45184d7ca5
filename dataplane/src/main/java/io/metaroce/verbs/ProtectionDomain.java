// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.memory.AccessFlags;
import java.util.concurrent.atomic.AtomicInteger;

/** Who may touch what: a queue pair reaches the memory regions of its own protection domain only. */
public final class ProtectionDomain implements AutoCloseable {
    /** Rights that a peer exercises by writing here. */
    private static final int REMOTE_CHANGES = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;

    private final Context context;
    private final int number;
    private final AtomicInteger children = new AtomicInteger();

    ProtectionDomain(Context context) {
        this.context = context;
        this.number = context.device().allocateProtectionDomain();
        context.childOpened();
    }

    public int number() {
        return number;
    }

    public Context context() {
        return context;
    }

    /**
     * Registers memory, which stays the caller's and must stay allocated until the region is closed.
     *
     * @param address first byte
     * @param length bytes, at least 1; the range must not wrap
     * @param accessFlags bits of {@link AccessFlags}; remote write and remote atomic need local write, as in verbs
     * @throws VerbsException if the device refuses
     */
    public MemoryRegion registerMemory(long address, long length, int accessFlags) {
        if ((accessFlags & ~AccessFlags.ALL) != 0) {
            throw new IllegalArgumentException("unknown access flags 0x" + Integer.toHexString(accessFlags));
        }
        if ((accessFlags & REMOTE_CHANGES) != 0 && (accessFlags & AccessFlags.LOCAL_WRITE) == 0) {
            throw new IllegalArgumentException("remote write and remote atomic access need local write access");
        }
        if (length < 1 || Long.compareUnsigned(address + length - 1, address) < 0) {
            throw new IllegalArgumentException("a region is at least one byte and does not wrap, not " + length
                    + " bytes at 0x" + Long.toHexString(address));
        }
        return new MemoryRegion(this, address, length, accessFlags);
    }

    /**
     * Creates a queue pair in state {@link QueuePairState#INIT}.
     *
     * @throws VerbsException if a depth or the number of queue pairs is beyond the device's limits
     */
    public QueuePair createQueuePair(QueuePairSettings settings) {
        return new QueuePair(this, settings);
    }

    void childOpened() {
        children.incrementAndGet();
    }

    void childClosed() {
        children.decrementAndGet();
    }

    /**
     * Gives the domain back.
     *
     * @throws VerbsException if memory regions or queue pairs are still open
     */
    @Override
    public void close() {
        Context.requireNone(children.get(), "protection domain " + number);
        context.device().deallocateProtectionDomain(number);
        context.childClosed();
    }
}
