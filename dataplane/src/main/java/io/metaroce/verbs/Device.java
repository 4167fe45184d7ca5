// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/**
 * What serves a {@link Context}: the lanes of this process, or of a daemon reached through shared memory. Called when objects
 * are created and closed, never by post or poll; callable by any thread; may block.
 */
public interface Device {
    /** For people. */
    String name();

    DeviceLimits limits();

    /** A number that no open protection domain has. */
    int allocateProtectionDomain();

    void deallocateProtectionDomain(int protectionDomain);

    /**
     * Makes memory usable by the lanes; it stays mapped until {@link #deregisterMemory} has returned.
     *
     * @param address first byte
     * @param length bytes, at least 1
     * @param accessFlags bits of {@link io.metaroce.memory.AccessFlags}
     * @return the key, for use as lkey and as rkey
     * @throws VerbsException if no registration is left or the device cannot reach the memory
     */
    int registerMemory(int protectionDomain, long address, long length, int accessFlags);

    /** Returns when no lane touches the memory any more. */
    void deregisterMemory(int key);

    /**
     * Memory for a ring, zeroed, at a multiple of 64, which the lanes see too.
     *
     * @throws VerbsException if there is none
     */
    long allocateQueueMemory(int lengthBytes);

    void freeQueueMemory(long address, int lengthBytes);

    /**
     * A number that no open queue pair has.
     *
     * @throws VerbsException if {@link DeviceLimits#queuePairsMax} are open
     */
    int allocateQueuePair();

    /** Disconnects the queue pair; returns when no lane touches its rings any more. */
    void releaseQueuePair(int queuePairNumber);
}
