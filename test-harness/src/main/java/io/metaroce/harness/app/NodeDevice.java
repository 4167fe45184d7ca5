// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.IncomingStream;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.control.connect.QueueSpec;
import io.metaroce.control.daemon.Node;
import io.metaroce.memory.MemoryKey;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.DeviceLimits;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.QueuePairRings;
import io.metaroce.verbs.QueuePairState;
import io.metaroce.verbs.VerbsException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;

/** Verbs on the lanes of this very process: the device of applications that embed a {@link Node}. Safe for any thread. */
public final class NodeDevice implements Device {
    private static final int QUEUE_PAIRS_MAX = 1 << 16;
    private static final int QUEUE_DEPTH_MAX = 1 << 16;
    private static final int ALIGNMENT = 64;
    private static final long RELEASE_TIMEOUT_SECONDS = 10;

    private final Node node;
    private final AtomicInteger protectionDomains = new AtomicInteger();
    private final AtomicInteger queuePairNumbers = new AtomicInteger();
    private final Map<Integer, OpenedStream> connected = new ConcurrentHashMap<>();
    /** Where each aligned piece of queue memory was allocated. */
    private final Map<Long, Long> allocations = new ConcurrentHashMap<>();

    public NodeDevice(Node node) {
        this.node = node;
    }

    /** Opens a stream of a connection for a queue pair; the peer's private data is in the result. */
    public OpenedStream connect(
            PeerConnection peer, String service, JsonNode privateData, QueuePair queuePair, Duration timeout)
            throws ConnectFailure {
        OpenedStream stream = peer.openStream(service, privateData, spec(queuePair), timeout);
        onConnected(queuePair, stream);
        return stream;
    }

    /** Grants a stream that a peer asked for to a queue pair. */
    public OpenedStream accept(IncomingStream incoming, QueuePair queuePair) throws ConnectFailure {
        OpenedStream stream = incoming.accept(spec(queuePair));
        onConnected(queuePair, stream);
        return stream;
    }

    private void onConnected(QueuePair queuePair, OpenedStream stream) {
        connected.put(queuePair.number(), stream);
        queuePair.modify(QueuePairState.READY_TO_RECEIVE);
        queuePair.modify(QueuePairState.READY_TO_SEND);
        // Should the connection end while the queue pair is open, nothing that was posted stays without an answer.
        CompletableFuture<Void> unused = stream.closed().thenRun(queuePair::disconnected);
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public DeviceLimits limits() {
        return new DeviceLimits(QUEUE_PAIRS_MAX, QUEUE_DEPTH_MAX, MemoryKey.INDEX_COUNT, 1L << 31);
    }

    @Override
    public int allocateProtectionDomain() {
        return protectionDomains.incrementAndGet();
    }

    @Override
    public void deallocateProtectionDomain(int protectionDomain) {
        // Numbers are not used again, so there is nothing to give back.
    }

    @Override
    public int registerMemory(int protectionDomain, long address, long length, int accessFlags) {
        try {
            return node.registerMemory(protectionDomain, address, length, accessFlags);
        } catch (ConnectFailure e) {
            throw new VerbsException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void deregisterMemory(int key) {
        try {
            node.deregisterMemory(key);
        } catch (ConnectFailure e) {
            throw new VerbsException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public long allocateQueueMemory(int lengthBytes) {
        long allocation = UnsafeApi.allocateMemory((long) lengthBytes + ALIGNMENT);
        long address = allocation + ALIGNMENT - 1 & -ALIGNMENT;
        UnsafeApi.setMemory(address, lengthBytes, (byte) 0);
        allocations.put(address, allocation);
        return address;
    }

    @Override
    public void freeQueueMemory(long address, int lengthBytes) {
        Long allocation = allocations.remove(address);
        if (allocation != null) {
            UnsafeApi.freeMemory(allocation);
        }
    }

    @Override
    public int allocateQueuePair() {
        return queuePairNumbers.incrementAndGet() & 0xff_ffff;
    }

    @Override
    public void releaseQueuePair(int queuePairNumber) {
        OpenedStream stream = connected.remove(queuePairNumber);
        if (stream == null) {
            return;
        }
        stream.close();
        try {
            stream.closed().get(RELEASE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException("interrupted while a queue pair was being closed");
        } catch (ExecutionException | TimeoutException e) {
            throw new VerbsException("queue pair " + queuePairNumber + " did not close: " + e);
        }
    }

    private static QueueSpec spec(QueuePair queuePair) {
        QueuePairRings rings = queuePair.laneRings();
        return new QueueSpec(
                queuePair.number(),
                queuePair.protectionDomain().number(),
                rings.sendRing(),
                rings.receiveRing(),
                rings.sendCompletions(),
                rings.receiveCompletions());
    }
}
