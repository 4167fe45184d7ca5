// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import java.util.concurrent.atomic.AtomicInteger;

/** An open device. */
public final class Context implements AutoCloseable {
    private final Device device;
    private final AtomicInteger children = new AtomicInteger();

    private Context(Device device) {
        this.device = device;
    }

    /** Opens a device, which stays its owner's to stop after {@link #close}. */
    public static Context open(Device device) {
        return new Context(device);
    }

    public Device device() {
        return device;
    }

    public ProtectionDomain allocateProtectionDomain() {
        return new ProtectionDomain(this);
    }

    /**
     * Creates a completion queue.
     *
     * @param entries completions it can hold; rounded up to a power of two
     * @throws VerbsException if {@code entries} is not 1 to {@link DeviceLimits#queueDepthMax}
     */
    public CompletionQueue createCompletionQueue(int entries) {
        return new CompletionQueue(this, entries);
    }

    void childOpened() {
        children.incrementAndGet();
    }

    void childClosed() {
        children.decrementAndGet();
    }

    /**
     * Closes the context.
     *
     * @throws VerbsException if protection domains or completion queues are still open
     */
    @Override
    public void close() {
        requireNone(children.get(), "the context");
    }

    static void requireNone(int users, String what) {
        if (users != 0) {
            throw new VerbsException(what + " is still used by " + users + " open object" + (users == 1 ? "" : "s"));
        }
    }
}
