// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/** Ties threads to processors; needs native code, hence found by {@link java.util.ServiceLoader}. */
public interface ThreadAffinity {

    /**
     * Lets the calling thread run on one processor only. Threads it starts later inherit that, so it is called by the
     * thread that polls, never by one that starts others.
     *
     * @param cpu number of the processor as the kernel counts them, from 0
     * @throws PortException with one line that names the processor and the cure
     */
    void pinCurrentThread(int cpu);
}
