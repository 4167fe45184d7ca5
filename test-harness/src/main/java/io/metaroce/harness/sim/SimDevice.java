// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.lane.Refusal;
import io.metaroce.lane.Registration;
import io.metaroce.lane.StreamSpec;
import io.metaroce.memory.MemoryKey;
import io.metaroce.memory.MemoryKeyAllocator;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.DeviceLimits;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.QueuePairRings;
import io.metaroce.verbs.QueuePairState;
import io.metaroce.verbs.VerbsException;
import java.util.TreeMap;

/** Verbs on a lane in virtual time: a call that must wait for the lane lets time pass until the lane has answered. */
final class SimDevice implements Device {
    private static final int QUEUE_PAIRS_MAX = 64;
    private static final int QUEUE_DEPTH_MAX = 1 << 10;

    private final LaneNet net;
    private final SimHost host;
    private final GuardedArena arena;
    private final MemoryKeyAllocator keys;
    private final TreeMap<Integer, Stream> connected = new TreeMap<>();
    private int protectionDomains;
    private int queuePairs;
    private int queueMemories;

    /** Where a queue pair is connected. */
    private record Stream(QueuePair queuePair, int connectionId, int streamId) {}

    SimDevice(LaneNet net, SimHost host, GuardedArena arena, SeededRandom random) {
        this.net = net;
        this.host = host;
        this.arena = arena;
        this.keys = new MemoryKeyAllocator(() -> (int) random.nextLong());
        host.onFinished = this::onFinished;
    }

    GuardedArena arena() {
        return arena;
    }

    /** Makes a queue pair a stream of a connection; false if the connection is gone. */
    boolean connect(QueuePair queuePair, int connectionId, int streamId) {
        QueuePairRings rings = queuePair.laneRings();
        StreamSpec stream = new StreamSpec(
                streamId,
                queuePair.number(),
                queuePair.protectionDomain().number(),
                rings.sendRing(),
                rings.receiveRing(),
                rings.sendCompletions(),
                rings.receiveCompletions());
        Refusal refusal = host.carryOut((control, id) -> control.openStream(id, connectionId, stream));
        if (refusal != Refusal.NONE) {
            return false;
        }
        connected.put(queuePair.number(), new Stream(queuePair, connectionId, streamId));
        queuePair.modify(QueuePairState.READY_TO_RECEIVE);
        queuePair.modify(QueuePairState.READY_TO_SEND);
        return true;
    }

    private void onFinished(int connectionId) {
        for (Stream stream : connected.values()) {
            if (stream.connectionId() == connectionId) {
                stream.queuePair().disconnected();
            }
        }
    }

    @Override
    public String name() {
        return "host " + host.number;
    }

    @Override
    public DeviceLimits limits() {
        return new DeviceLimits(QUEUE_PAIRS_MAX, QUEUE_DEPTH_MAX, MemoryKey.INDEX_COUNT, 1L << 31);
    }

    @Override
    public int allocateProtectionDomain() {
        return ++protectionDomains;
    }

    @Override
    public void deallocateProtectionDomain(int protectionDomain) {
        // Numbers are not used again.
    }

    @Override
    public int registerMemory(int protectionDomain, long address, long length, int accessFlags) {
        int key = keys.allocate();
        Registration registration = new Registration(key, address, length, accessFlags, protectionDomain);
        Refusal refusal = host.carryOut((control, id) -> control.installMemory(id, registration));
        if (refusal != Refusal.NONE) {
            keys.release(key);
            throw new VerbsException(refusal.meaning());
        }
        return key;
    }

    @Override
    public void deregisterMemory(int key) {
        Refusal refusal = host.carryOut((control, id) -> control.removeMemory(id, key));
        if (refusal != Refusal.NONE && refusal != Refusal.LANE_STOPPED) {
            throw new VerbsException(refusal.meaning());
        }
        keys.release(key);
    }

    @Override
    public long allocateQueueMemory(int lengthBytes) {
        queueMemories++;
        return arena.claim(lengthBytes);
    }

    @Override
    public void freeQueueMemory(long address, int lengthBytes) {
        queueMemories--;
        arena.giveBack(address, lengthBytes);
    }

    @Override
    public int allocateQueuePair() {
        return ++queuePairs;
    }

    @Override
    public void releaseQueuePair(int queuePairNumber) {
        Stream stream = connected.remove(queuePairNumber);
        if (stream == null) {
            return;
        }
        int connectionId = stream.connectionId();
        int streamId = stream.streamId();
        Refusal refusal = host.carryOut((control, id) -> control.closeStream(id, connectionId, streamId));
        long key = SimHost.streamKey(connectionId, streamId);
        if (refusal == Refusal.NONE) {
            net.waitUntil(
                    "the end of stream " + streamId + " of host " + host.number,
                    () -> !host.runs() || host.closedStreams.contains(key) || host.finished.contains(connectionId));
        }
    }

    /** Whether every piece of queue memory and every registration was given back. */
    boolean isClean() {
        return queueMemories == 0 && keys.usedCount() == 0 && connected.isEmpty();
    }
}
