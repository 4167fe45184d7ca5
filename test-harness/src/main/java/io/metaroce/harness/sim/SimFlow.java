// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.harness.check.FlowOracle;
import io.metaroce.harness.check.OracleViolation;
import io.metaroce.memory.AccessFlags;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.QueuePairSettings;
import io.metaroce.verbs.SendWorkRequest;
import io.metaroce.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntHashSet;
import org.agrona.collections.LongArrayList;

/** One end of a stream through the verbs API: a queue pair, its registered memory, and the application that posts and polls. */
final class SimFlow {
    /** One message to be sent. */
    private record Message(WorkRequestOpcode opcode, long length) {
        boolean isWrite() {
            return opcode == WorkRequestOpcode.RDMA_WRITE || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMM;
        }
    }

    private static final List<WorkRequestOpcode> OPCODES = List.of(
            WorkRequestOpcode.RDMA_WRITE,
            WorkRequestOpcode.RDMA_WRITE,
            WorkRequestOpcode.RDMA_WRITE_WITH_IMM,
            WorkRequestOpcode.SEND,
            WorkRequestOpcode.SEND_WITH_IMM);
    private static final int LENGTH_MAX = 20_000;

    final int host;
    final int connection;
    final FlowOracle outgoing;
    private final String name;
    private final SeededRandom random;
    private final GuardedArena arena;
    private final List<Message> plan = new ArrayList<>();
    private final LongArrayList sources = new LongArrayList();
    private final LongArrayList targets = new LongArrayList();
    private final LongArrayList receives = new LongArrayList();
    private final int doomedAt;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final ProtectionDomain domain;
    private final QueuePair queuePair;
    private final IntHashSet released = new IntHashSet();
    private SimFlow peer = this;
    private long receiveBytes;
    private int receivesPosted;
    private int receivesCompleted;
    private long withholdsUntilNs;
    private boolean isClosed;
    private boolean isOrphaned;

    /** What an end of a stream is to do. */
    record Task(int host, int connection, int messages, int doomedAt) {}

    SimFlow(SeededRandom random, Context context, SimDevice device, Task task, CompletionQueue[] queues) {
        this.host = task.host();
        this.connection = task.connection();
        this.random = random;
        this.arena = device.arena();
        this.doomedAt = task.doomedAt();
        this.domain = context.allocateProtectionDomain();
        this.queuePair = domain.createQueuePair(
                new QueuePairSettings(queues[0], queues[1], 1 << random.between(0, 5), 1 << random.between(0, 4)));
        this.name = "host " + host + " queue pair " + queuePair.number();
        this.outgoing = new FlowOracle(name, random.nextLong());
        for (int i = 0; i < task.messages(); i++) {
            boolean isDoomed = i == doomedAt;
            plan.add(new Message(isDoomed ? WorkRequestOpcode.RDMA_WRITE : random.oneOf(OPCODES), length(isDoomed)));
        }
    }

    /** Knows its peer; claims and registers the memory for what both will send. */
    void join(SimFlow other) {
        peer = other;
        for (Message message : plan) {
            sources.addLong(arena.claim(message.length()));
        }
        register(sources, plan.isEmpty() ? 0 : plan.get(plan.size() - 1).length(), 0);
        long lastBytes = 0;
        for (Message message : other.plan) {
            lastBytes = message.length();
            targets.addLong(arena.claim(lastBytes));
            if (!message.isWrite()) {
                receiveBytes = Math.max(receiveBytes, lastBytes);
            }
        }
        register(targets, lastBytes, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        int count = other.plan.size() + queuePair.receiveCapacity();
        for (int i = 0; i < count; i++) {
            receives.addLong(arena.claim(receiveBytes));
        }
        register(receives, receiveBytes, AccessFlags.LOCAL_WRITE);
    }

    private void register(LongArrayList ranges, long lastBytes, int access) {
        long first = ranges.isEmpty() ? arena.claim(1) : ranges.getLong(0);
        long end = ranges.isEmpty() ? first + 1 : ranges.getLong(ranges.size() - 1) + lastBytes;
        regions.add(domain.registerMemory(first, Math.max(1, end - first), access));
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /** No receive is posted before that time. */
    void withhold(long untilNs) {
        withholdsUntilNs = untilNs;
    }

    /** Both directions may fail from now on. */
    void disturb() {
        outgoing.onDisturbed();
        peer.outgoing.onDisturbed();
    }

    /** The host stopped or died: what was posted may stay without an answer. */
    void orphan() {
        disturb();
        isOrphaned = true;
    }

    /** One turn of the application; whether it did anything. */
    boolean doWork(long nowNs) {
        if (isClosed || isOrphaned) {
            return false;
        }
        boolean didWork = false;
        while (outgoing.posted() < plan.size() && queuePair.canPostSend() && !random.hits(300_000)) {
            post(outgoing.posted());
            didWork = true;
        }
        while (nowNs >= withholdsUntilNs
                && receivesPosted < receives.size()
                && queuePair.canPostReceive()
                && random.hits(700_000)) {
            queuePair
                    .claimReceive()
                    .id(receivesPosted)
                    .local(regions.get(2).lkey(), receives.getLong(receivesPosted), receiveBytes);
            queuePair.postReceive();
            receivesPosted++;
            didWork = true;
        }
        return didWork;
    }

    /** Whether all was posted and every send has its completion. */
    boolean isDone() {
        return isOrphaned || isClosed || (outgoing.posted() == plan.size() && outgoing.isDone());
    }

    /** A completion of this queue pair. */
    void onCompletion(WorkCompletion completion) {
        if (isOrphaned && completion.status() != CompletionStatus.SUCCESS) {
            // The lane stopped with completions that found no room in their queue: what fails has gaps.
            return;
        }
        switch (completion.opcode()) {
            case RECEIVE, RECEIVE_RDMA_WITH_IMM -> onReceived(completion);
            default -> outgoing.onSendCompletion(completion.id(), completion.status());
        }
    }

    private void onReceived(WorkCompletion completion) {
        require(completion.id() == receivesCompleted, "a receive completed out of turn");
        require(receivesCompleted < receivesPosted, "a receive completed that nobody posted");
        if (completion.status() == CompletionStatus.SUCCESS) {
            long buffer = receives.getLong(receivesCompleted);
            peer.outgoing.onReceiveCompletion(completion.id(), completion.length(), buffer);
        } else {
            require(isClosed || outgoing.mayFail() || peer.outgoing.mayFail(), "a receive failed for no reason");
        }
        receivesCompleted++;
    }

    /** The queue pair goes, whatever is in progress; returns when the lane has let go of its rings. */
    void close() {
        if (!isClosed) {
            isClosed = true;
            queuePair.close();
        }
    }

    /** After {@link #close} and the last poll: what was posted has completed, once. */
    void checkClosed() {
        if (!isOrphaned) {
            require(outgoing.isDone(), outgoing.sendCompletions() + " of " + outgoing.posted() + " sends completed");
            require(receivesCompleted == receivesPosted, receivesCompleted + " of " + receivesPosted + " receives");
        }
    }

    void checkBytes() {
        if (!isOrphaned && !outgoing.mayFail()) {
            require(outgoing.posted() == plan.size(), "not everything was posted");
            outgoing.onEnd();
        }
    }

    /** Takes memory back while it may be in use: 0 sources, 1 targets, 2 receives. Returns when the lane has let go. */
    void deregister(int which) {
        disturb();
        if (which > 0) {
            peer.outgoing.onTargetsGone();
        }
        release(regions.get(which));
    }

    void deregisterAll() {
        peer.outgoing.onTargetsGone();
        for (MemoryRegion region : regions) {
            release(region);
        }
        domain.close();
    }

    private void release(MemoryRegion region) {
        if (released.add(region.lkey())) {
            region.close();
            arena.giveBack(region.address(), region.length());
        }
    }

    private void post(int number) {
        Message message = plan.get(number);
        long source = sources.getLong(number);
        long target = peer.targets.getLong(number);
        if (!released.contains(regions.get(0).lkey())) {
            outgoing.pattern().fill(source, message.length(), number);
        }
        boolean consumesReceive = message.opcode() != WorkRequestOpcode.RDMA_WRITE;
        outgoing.onPosted(message.length(), message.isWrite(), consumesReceive, message.isWrite() ? target : 0);
        int rkey = peer.regions.get(1).rkey();
        if (number == doomedAt) {
            rkey ^= 1 << 20;
            outgoing.onDoomed();
        }
        SendWorkRequest request = queuePair.claimSend();
        switch (message.opcode()) {
            case RDMA_WRITE -> request.rdmaWrite(rkey, target);
            case RDMA_WRITE_WITH_IMM -> request.rdmaWriteWithImmediate(rkey, target, number);
            case SEND_WITH_IMM -> request.sendWithImmediate(number);
            default -> request.send();
        }
        request.local(regions.get(0).lkey(), source, message.length())
                .id(number)
                .signaled();
        queuePair.postSend();
    }

    private long length(boolean isDoomed) {
        return switch (isDoomed ? 9 : random.below(8)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 4096 * random.between(1, 3) + random.between(-1, 1);
            case 3 -> random.between(1, LENGTH_MAX);
            case 9 -> 100;
            default -> random.between(1, 5_000);
        };
    }

    private void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new OracleViolation(name + ": " + what);
        }
    }
}
