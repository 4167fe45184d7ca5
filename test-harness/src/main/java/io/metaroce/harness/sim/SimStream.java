// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.harness.app.PayloadPattern;
import io.metaroce.harness.check.FlowOracle;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.stream.StreamSettings;
import java.util.List;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/** One end of a stream with its application: posts sends and receives when the seed says so, and hands completions on. */
final class SimStream {
    static final int PROTECTION_DOMAIN = 1;
    private static final int RECEIVE_BYTES = 40_000;
    private static final List<WorkRequestOpcode> OPCODES = List.of(
            WorkRequestOpcode.RDMA_WRITE,
            WorkRequestOpcode.RDMA_WRITE,
            WorkRequestOpcode.RDMA_WRITE_WITH_IMM,
            WorkRequestOpcode.SEND,
            WorkRequestOpcode.SEND_WITH_IMM);

    private final SeededRandom random;
    private final SimMemory memory;
    private final FlowOracle outgoing;
    private final int messages;
    private final int doomedAt;
    private final SlotRing sendRing;
    private final SlotRing receiveRing;
    private final SlotRing sendCompletions;
    private final SlotRing receiveCompletions;
    /** Buffer of every receive ever posted, by its id: completions may be taken long after the ring moved on. */
    private final LongArrayList receiveBuffers = new LongArrayList();

    private final WorkRequestSlot request = new WorkRequestSlot();
    private final ReceiveSlot receive = new ReceiveSlot();
    private final CompletionSlot completion = new CompletionSlot();
    private FlowOracle incoming;
    private SimMemory peerMemory;
    private int posted;
    private int receivesPosted;
    private boolean isFlushed;

    /**
     * @param messages to be posted by this end
     * @param doomedAt message whose key is wrong, after which nothing succeeds; negative if none
     */
    SimStream(SeededRandom random, SimMemory memory, String name, int messages, int doomedAt) {
        this.random = random;
        this.memory = memory;
        this.messages = messages;
        this.doomedAt = doomedAt;
        this.outgoing = new FlowOracle(name, random.nextLong());
        this.incoming = outgoing;
        this.peerMemory = memory;
        this.sendRing = memory.ring(1 << random.between(1, 6));
        this.receiveRing = memory.ring(1 << random.between(2, 5));
        this.sendCompletions = memory.ring(1 << random.between(1, 6));
        this.receiveCompletions = memory.ring(1 << random.between(1, 6));
    }

    /** What the other end sends to us, and where it can write. */
    void join(SimStream peer) {
        incoming = peer.outgoing;
        peerMemory = peer.memory;
    }

    StreamSettings settings(int streamId) {
        return new StreamSettings(
                streamId,
                1000 + streamId,
                PROTECTION_DOMAIN,
                sendRing,
                receiveRing,
                sendCompletions,
                receiveCompletions);
    }

    /** One turn of the application; returns whether it did anything. */
    boolean doWork() {
        boolean didWork = false;
        while (posted < messages && sendRing.canProduce() && !random.hits(300_000)) {
            post();
            didWork = true;
        }
        while (!isFlushed && receiveRing.canProduce() && random.hits(700_000)) {
            postReceive();
            didWork = true;
        }
        while (sendCompletions.available() > 0 && random.hits(900_000)) {
            sendCompletions.peek(completion);
            outgoing.onSendCompletion(completion.id(), completion.status());
            sendCompletions.release();
            didWork = true;
        }
        while (receiveCompletions.available() > 0 && random.hits(900_000)) {
            takeReceive();
            didWork = true;
        }
        return didWork;
    }

    boolean isDone() {
        return posted == messages && outgoing.isDone();
    }

    FlowOracle outgoing() {
        return outgoing;
    }

    private void post() {
        WorkRequestOpcode opcode = posted == doomedAt ? WorkRequestOpcode.RDMA_WRITE : random.oneOf(OPCODES);
        boolean isWrite = opcode == WorkRequestOpcode.RDMA_WRITE || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMM;
        long length = posted == doomedAt ? 100 : length();
        long source = memory.claim(length);
        long target = isWrite ? peerMemory.claim(length) : 0;
        outgoing.pattern().fill(source, length, posted);
        outgoing.onPosted(length, isWrite, opcode != WorkRequestOpcode.RDMA_WRITE, target);
        int rkey = peerMemory.key();
        if (posted == doomedAt) {
            rkey ^= 1 << 20;
            outgoing.onDoomed();
        }
        sendRing.claim(request);
        request.id(posted);
        request.opcode(opcode);
        request.flags(SendFlags.SIGNALED);
        request.local(memory.key(), source, length);
        request.remote(rkey, target);
        request.immediate(posted);
        sendRing.publish();
        posted++;
    }

    private long length() {
        return switch (random.below(8)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 4096 * random.between(1, 3) + random.between(-1, 1);
            case 3 -> random.between(1, 39_000);
            default -> random.between(1, 5_000);
        };
    }

    private void postReceive() {
        long buffer = memory.claim(RECEIVE_BYTES);
        receiveBuffers.addLong(buffer);
        receiveRing.claim(receive);
        receive.id(receivesPosted++);
        receive.local(memory.key(), buffer, RECEIVE_BYTES);
        receiveRing.publish();
    }

    private void takeReceive() {
        receiveCompletions.peek(completion);
        if (completion.status() == io.metaroce.queue.CompletionStatus.SUCCESS) {
            long buffer = receiveBuffers.getLong((int) completion.id());
            incoming.onReceiveCompletion(completion.id(), completion.length(), buffer);
        } else {
            isFlushed = true;
        }
        receiveCompletions.release();
    }

    /** Memory of an endpoint: one registration from which ranges are claimed one after another, never twice. */
    static final class SimMemory {
        private static final int BYTES = 24 << 20;

        private final UnsafeBuffer region = new UnsafeBuffer(org.agrona.BufferUtil.allocateDirectAligned(BYTES, 64));
        private final int key;
        private int next = FlowOracle.GUARD_BYTES;

        SimMemory(int key) {
            this.key = key;
        }

        int key() {
            return key;
        }

        long address() {
            return region.addressOffset();
        }

        long bytes() {
            return BYTES;
        }

        /** A range nobody else has, with a guard behind it; starts again when it must, which short runs never do. */
        long claim(long length) {
            int bytes = (int) ((length + FlowOracle.GUARD_BYTES + 7) & -8L);
            if (next + bytes > BYTES) {
                throw new IllegalStateException("the run is too long for its memory");
            }
            int at = next;
            next += bytes;
            PayloadPattern.poison(region.addressOffset() + at + length, bytes - length);
            return region.addressOffset() + at;
        }

        SlotRing ring(long slots) {
            int bytes = SlotRing.bytesFor((int) slots);
            next = (next + 63) & -64;
            long address = claim(bytes);
            SlotRing.format(address, (int) slots);
            return new SlotRing(address, bytes);
        }

        void reset() {
            next = FlowOracle.GUARD_BYTES;
        }
    }
}
