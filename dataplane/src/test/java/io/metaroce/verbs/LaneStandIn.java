// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryCheck;
import io.metaroce.memory.MemoryKeyAllocator;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import java.util.HashMap;
import java.util.Map;
import org.agrona.UnsafeApi;

/**
 * A device whose queue pairs are joined back to back, without a network: it serves one request of one queue pair at a time.
 * Small on purpose, so that what the rings carry can be read off it.
 */
final class LaneStandIn implements Device {
    private static final DeviceLimits LIMITS = new DeviceLimits(4, 1024, 4096, 1 << 30);

    private final MemoryRegionTable regions = new MemoryRegionTable();
    private final MemoryKeyAllocator keys = new MemoryKeyAllocator(() -> 77);
    private final Map<Integer, End> ends = new HashMap<>();
    private final WorkRequestSlot send = new WorkRequestSlot();
    private final ReceiveSlot receive = new ReceiveSlot();
    private final CompletionSlot completion = new CompletionSlot();
    private int protectionDomains;
    private int queuePairs;
    private int queuePairsOpen;
    private long queueBytes;

    private static final class End {
        private final QueuePair queuePair;
        private final QueuePairRings rings;
        private final int domain;

        private End(QueuePair queuePair) {
            this.queuePair = queuePair;
            this.rings = queuePair.laneRings();
            this.domain = queuePair.protectionDomain().number();
        }
    }

    /** Connects two queue pairs, as a connection manager would. */
    void join(QueuePair one, QueuePair other) {
        for (QueuePair queuePair : new QueuePair[] {one, other}) {
            ends.put(queuePair.number(), new End(queuePair));
            queuePair.modify(QueuePairState.READY_TO_RECEIVE);
            queuePair.modify(QueuePairState.READY_TO_SEND);
        }
    }

    /** Serves what {@code from} has posted toward {@code to}; returns the requests served. */
    int serve(QueuePair from, QueuePair to) {
        End local = ends.get(from.number());
        End remote = ends.get(to.number());
        int served = 0;
        while (local != null
                && remote != null
                && local.rings.sendRing().available() > 0
                && local.rings.sendCompletions().canProduce()) {
            local.rings.sendRing().peek(send);
            CompletionStatus status =
                    local.queuePair.state() == QueuePairState.ERROR ? CompletionStatus.FLUSHED : carry(local, remote);
            if (status != CompletionStatus.SUCCESS) {
                local.queuePair.modify(QueuePairState.ERROR);
            }
            if (status != CompletionStatus.SUCCESS || (send.flags() & SendFlags.SIGNALED) != 0) {
                boolean isWrite = send.opcode() <= WorkRequestOpcode.RDMA_WRITE_WITH_IMM.code();
                CompletionOpcode opcode = isWrite ? CompletionOpcode.RDMA_WRITE : CompletionOpcode.SEND;
                complete(local, local.rings.sendCompletions(), send.id(), status, opcode);
            }
            local.rings.sendRing().release();
            served++;
        }
        return served;
    }

    private CompletionStatus carry(End local, End remote) {
        MemoryCheck readable = regions.check(send.lkey(), local.domain, send.localAddress(), send.length(), 0);
        if (readable != MemoryCheck.OK) {
            return CompletionStatus.LOCAL_PROTECTION_ERROR;
        }
        WorkRequestOpcode opcode = WorkRequestOpcode.of(send.opcode());
        if (opcode == null) {
            return CompletionStatus.LOCAL_QUEUE_PAIR_ERROR;
        }
        switch (opcode) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {
                MemoryCheck placed = regions.copyIn(
                        send.rkey(),
                        remote.domain,
                        send.remoteAddress(),
                        send.localAddress(),
                        (int) send.length(),
                        AccessFlags.REMOTE_WRITE);
                if (placed != MemoryCheck.OK) {
                    return CompletionStatus.REMOTE_ACCESS_ERROR;
                }
                return opcode == WorkRequestOpcode.RDMA_WRITE
                        ? CompletionStatus.SUCCESS
                        : consumeReceive(remote, CompletionOpcode.RECEIVE_RDMA_WITH_IMM);
            }
            default -> {
                return consumeReceive(remote, CompletionOpcode.RECEIVE);
            }
        }
    }

    private CompletionStatus consumeReceive(End remote, CompletionOpcode opcode) {
        if (remote.rings.receiveRing().available() == 0) {
            return CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
        }
        remote.rings.receiveRing().peek(receive);
        if (opcode == CompletionOpcode.RECEIVE) {
            if (send.length() > receive.length()) {
                return CompletionStatus.REMOTE_INVALID_REQUEST;
            }
            UnsafeApi.copyMemory(send.localAddress(), receive.localAddress(), send.length());
        }
        complete(remote, remote.rings.receiveCompletions(), receive.id(), CompletionStatus.SUCCESS, opcode);
        remote.rings.receiveRing().release();
        return CompletionStatus.SUCCESS;
    }

    private void complete(End end, SlotRing ring, long id, CompletionStatus status, CompletionOpcode opcode) {
        boolean hasImmediate = send.opcode() == WorkRequestOpcode.RDMA_WRITE_WITH_IMM.code()
                || send.opcode() == WorkRequestOpcode.SEND_WITH_IMM.code();
        ring.claim(completion);
        completion.id(id);
        completion.status(status);
        completion.opcode(opcode);
        completion.length(send.length());
        completion.immediate(hasImmediate ? send.immediate() : 0);
        completion.flags(hasImmediate ? CompletionSlot.FLAG_IMMEDIATE : 0);
        completion.queuePairNumber(end.queuePair.number());
        ring.publish();
    }

    long queueBytes() {
        return queueBytes;
    }

    int registrations() {
        return regions.count();
    }

    @Override
    public String name() {
        return "back to back";
    }

    @Override
    public DeviceLimits limits() {
        return LIMITS;
    }

    @Override
    public int allocateProtectionDomain() {
        return ++protectionDomains;
    }

    @Override
    public void deallocateProtectionDomain(int protectionDomain) {}

    @Override
    public int registerMemory(int protectionDomain, long address, long length, int accessFlags) {
        int key = keys.allocate();
        if (!regions.install(key, address, length, accessFlags, protectionDomain)) {
            throw new VerbsException("no memory region left: " + limits().memoryRegionsMax() + " are registered");
        }
        return key;
    }

    @Override
    public void deregisterMemory(int key) {
        regions.remove(key);
        keys.release(key);
    }

    @Override
    public long allocateQueueMemory(int lengthBytes) {
        queueBytes += lengthBytes;
        return UnsafeApi.allocateMemory(lengthBytes);
    }

    @Override
    public void freeQueueMemory(long address, int lengthBytes) {
        queueBytes -= lengthBytes;
        UnsafeApi.freeMemory(address);
    }

    @Override
    public int allocateQueuePair() {
        if (queuePairsOpen == LIMITS.queuePairsMax()) {
            throw new VerbsException(
                    "no queue pair left: " + queuePairsOpen + " of " + LIMITS.queuePairsMax() + " are open");
        }
        queuePairsOpen++;
        return ++queuePairs;
    }

    @Override
    public void releaseQueuePair(int queuePairNumber) {
        ends.remove(queuePairNumber);
        queuePairsOpen--;
    }
}
