// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.SlotRing;

/**
 * A send queue and a receive queue, which become one stream once connected. One thread posts.
 *
 * <p>Posting writes the request where the lane reads it; a request with a bad lkey or length is not refused here but completes
 * with the error, as in verbs.
 *
 * <pre>{@code
 * while (queuePair.canPostSend()) {
 *     queuePair.claimSend().rdmaWrite(rkey, remoteAddress).local(lkey, address, length).id(n).signaled();
 *     queuePair.postSend();
 * }
 * }</pre>
 */
public final class QueuePair implements AutoCloseable {
    private final ProtectionDomain domain;
    private final QueuePairSettings settings;
    private final int number;
    private final QueueMemory sendMemory;
    private final QueueMemory receiveMemory;
    private final SlotRing sendRing;
    private final SlotRing receiveRing;
    private final SendWorkRequest sendRequest = new SendWorkRequest();
    private final ReceiveWorkRequest receiveRequest = new ReceiveWorkRequest();
    /** Written by whoever connects and by the device's events; read by the thread that posts. */
    private volatile QueuePairState state = QueuePairState.INIT;
    /** Guarded by this. */
    private boolean isDisconnected;

    QueuePair(ProtectionDomain domain, QueuePairSettings settings) {
        Device device = domain.context().device();
        this.domain = domain;
        this.settings = settings;
        // Each step is undone if a later one is refused, so that a refusal leaks nothing.
        this.sendMemory = new QueueMemory(device, "send queue", settings.sendDepth());
        try {
            this.receiveMemory = new QueueMemory(device, "receive queue", settings.receiveDepth());
        } catch (RuntimeException e) {
            sendMemory.close();
            throw e;
        }
        this.sendRing = sendMemory.view();
        this.receiveRing = receiveMemory.view();
        try {
            this.number = device.allocateQueuePair();
        } catch (RuntimeException e) {
            receiveMemory.close();
            sendMemory.close();
            throw e;
        }
        settings.sendQueue().attach();
        settings.receiveQueue().attach();
        domain.childOpened();
    }

    /** As completions name it. */
    public int number() {
        return number;
    }

    public ProtectionDomain protectionDomain() {
        return domain;
    }

    public QueuePairState state() {
        return state;
    }

    /** Send requests that can be outstanding. */
    public int sendCapacity() {
        return sendRing.capacity();
    }

    /** Receives that can be posted. */
    public int receiveCapacity() {
        return receiveRing.capacity();
    }

    /**
     * Moves the queue pair along; for whoever connects it. Any thread.
     *
     * @throws IllegalStateException if verbs knows no such step
     */
    public synchronized void modify(QueuePairState next) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException("a queue pair cannot go from " + state + " to " + next);
        }
        state = next;
    }

    /** Whether the state permits sends and a slot is free. */
    public boolean canPostSend() {
        return state.sendsCanBePosted() && sendRing.canProduce();
    }

    /** The next send request, blank; only if {@link #canPostSend}. The object is reused. */
    public SendWorkRequest claimSend() {
        sendRing.claim(sendRequest.slot());
        return sendRequest.clear();
    }

    /** Hands the request of {@link #claimSend} to the lane. */
    public void postSend() {
        sendRing.publish();
    }

    /** Whether the state permits receives and a slot is free. */
    public boolean canPostReceive() {
        return state.receivesCanBePosted() && receiveRing.canProduce();
    }

    /** The next receive, blank; only if {@link #canPostReceive}. The object is reused. */
    public ReceiveWorkRequest claimReceive() {
        receiveRing.claim(receiveRequest.slot());
        return receiveRequest.clear();
    }

    /** Hands the receive of {@link #claimReceive} to the lane. */
    public void postReceive() {
        receiveRing.publish();
    }

    /** The rings as the lane needs to see them; for whoever connects the queue pair. */
    public QueuePairRings laneRings() {
        return new QueuePairRings(
                sendMemory.view(),
                receiveMemory.view(),
                settings.sendQueue().laneView(),
                settings.receiveQueue().laneView());
    }

    /**
     * The lane has let go of the rings although the queue pair is open: its connection ended. The queue pair goes to the error
     * state, and what the lane did not see, or is posted from now on, completes as flushed when the completion queue is polled.
     * For whoever connected it, once, after the lane's last touch; any thread.
     */
    public synchronized void disconnected() {
        if (state == QueuePairState.RESET) {
            return;
        }
        state = QueuePairState.ERROR;
        abandonRings();
    }

    private synchronized void abandonRings() {
        if (!isDisconnected) {
            isDisconnected = true;
            settings.sendQueue().adopt(new AbandonedRing(sendMemory.view(), number, true));
            settings.receiveQueue().adopt(new AbandonedRing(receiveMemory.view(), number, false));
        }
    }

    /** Disconnects and gives everything back. Completions that nobody polled stay in the completion queue. */
    @Override
    public void close() {
        if (state == QueuePairState.RESET) {
            return;
        }
        modify(QueuePairState.RESET);
        domain.context().device().releaseQueuePair(number);
        // The lane may have let go before it saw the last requests.
        abandonRings();
        settings.sendQueue().settle(number);
        settings.receiveQueue().settle(number);
        settings.sendQueue().detach();
        settings.receiveQueue().detach();
        receiveMemory.close();
        sendMemory.close();
        domain.childClosed();
    }
}
