// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.memory.MemoryCheck;
import io.metaroce.queue.CompletionStatus;

/**
 * What all streams of one connection have done since it began, in plain numbers that only grow. Written and read by the
 * thread of the connection, which copies them into its counters from time to time.
 */
public final class StreamTally {
    private static final MemoryCheck[] CHECKS = MemoryCheck.values();

    private final long[] accessFaults = new long[CHECKS.length];
    private long messagesSent;
    private long messagesReceived;
    private long succeeded;
    private long failed;
    private long flushed;

    void onMessageSent() {
        messagesSent++;
    }

    void onMessageReceived() {
        messagesReceived++;
    }

    void onCompletion(CompletionStatus status) {
        switch (status) {
            case SUCCESS -> succeeded++;
            case FLUSHED -> flushed++;
            default -> failed++;
        }
    }

    void onAccessFault(MemoryCheck check) {
        accessFaults[check.ordinal()]++;
    }

    /** Requests of ours that ended with success, signaled or not. */
    public long messagesSent() {
        return messagesSent;
    }

    /** Messages of the peer that became whole. */
    public long messagesReceived() {
        return messagesReceived;
    }

    /** Completions written with success. */
    public long succeeded() {
        return succeeded;
    }

    /** Completions written with an error other than a flush. */
    public long failed() {
        return failed;
    }

    /** Completions written as flushed. */
    public long flushed() {
        return flushed;
    }

    /** Accesses of the peer that were refused for this reason. */
    public long accessFaults(MemoryCheck check) {
        return accessFaults[check.ordinal()];
    }
}
