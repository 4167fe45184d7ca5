// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.CompletionStatus;

/** One stream, which is one queue pair: its requester, its responder, and what connects them. */
public final class Stream {
    private final int streamId;
    private final Requester requester;
    private final Responder responder;
    private final CreditRequests creditRequests = new CreditRequests();
    private boolean isClosing;
    private boolean isCreditAsked;

    /**
     * @param messageWindow messages in progress in each direction, a power of two
     * @param tally of the connection, shared by its streams
     */
    public Stream(StreamSettings settings, int messageWindow, MemoryRegionTable memory, StreamTally tally) {
        this.streamId = settings.streamId();
        this.requester = new Requester(settings, messageWindow, memory, tally);
        this.responder = new Responder(settings, messageWindow, memory, tally);
    }

    public int streamId() {
        return streamId;
    }

    public Requester requester() {
        return requester;
    }

    public Responder responder() {
        return responder;
    }

    /** When and how often a blocked requester asks for credit. */
    public CreditRequests creditRequests() {
        return creditRequests;
    }

    public boolean isInError() {
        return requester.isInError() || responder.isInError();
    }

    /** The queue pair goes to the error state: both halves flush; the oldest send fails with {@code first}. */
    public void fail(CompletionStatus first) {
        if (!requester.isInError()) {
            requester.fail(first);
        }
        responder.fail();
    }

    /** The application closes the queue pair. */
    public void close() {
        isClosing = true;
        fail(CompletionStatus.FLUSHED);
    }

    /** Nobody will hear of this stream again: requests complete at once, without waiting for acknowledgements. */
    public void abandon(CompletionStatus status) {
        requester.abandon(status);
        responder.abandon();
    }

    /** The peer asked for the posted-receive limit: it is answered, also with an unchanged one. */
    public void onCreditRequest() {
        isCreditAsked = true;
    }

    /** Whether the limit must go out in a packet of its own now; a request counts as answered from here on. */
    public boolean takeCreditDue() {
        boolean isDue = isCreditAsked || responder.isCreditUrgent();
        isCreditAsked = false;
        return isDue;
    }

    /** Whether {@link #takeCreditDue} would say so. */
    public boolean isCreditDue() {
        return isCreditAsked || responder.isCreditUrgent();
    }

    /** Takes work requests, also of a stream in error, which flushes them; returns how many. */
    public int onWorkRequests(int limit) {
        return requester.onWorkRequests(limit);
    }

    /** Delivers what is due to both completion queues; returns how many completions. */
    public int deliverCompletions(boolean isSuccessCertain) {
        // MOP-STR-42
        if (responder.isInError() && !requester.isInError()) {
            requester.fail(CompletionStatus.FLUSHED);
        } else if (requester.isInError()) {
            responder.fail();
        }
        return requester.deliverCompletions(isSuccessCertain) + responder.deliverCompletions();
    }

    /** Closed, and nothing of it is left: the owner may forget it. */
    public boolean isFinished() {
        return isClosing && requester.isIdle() && responder.isDrained();
    }
}
