// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.IncomingStream;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.harness.app.NodeDevice;
import io.metaroce.memory.AccessFlags;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.QueuePairSettings;
import io.metaroce.verbs.RegisteredBuffer;
import io.metaroce.verbs.SendWorkRequest;
import io.metaroce.verbs.WorkCompletion;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** One stream of the responder: memory to write into, receives, and answers to commands. */
final class ResponderStream implements AutoCloseable {
    static final int REGION_BYTES = 64 << 10;
    static final int RECEIVE_BYTES = 2048;
    static final int RECEIVES = 16;
    static final int COMMAND_BYTES = 32;
    static final int WRITE = 1;
    static final int WRITE_IMM = 2;
    static final int SEND = 3;
    static final int SEND_IMM = 4;
    static final int READBACK = 5;
    private static final int SENDS = 64;

    private final ProtectionDomain domain;
    private final ProtectionDomain otherDomain;
    private final RegisteredBuffer region;
    private final RegisteredBuffer readOnly;
    private final RegisteredBuffer foreign;
    private final RegisteredBuffer receives;
    private final RegisteredBuffer outgoing;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final QueuePair queuePair;
    private final OpenedStream stream;
    private final WorkCompletion completion = new WorkCompletion();
    private boolean hasFailed;

    ResponderStream(Context context, NodeDevice device, IncomingStream incoming) throws ConnectFailure {
        int writable = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
        domain = context.allocateProtectionDomain();
        otherDomain = context.allocateProtectionDomain();
        region = RegisteredBuffer.allocate(domain, REGION_BYTES, writable);
        readOnly = RegisteredBuffer.allocate(domain, RECEIVE_BYTES, AccessFlags.LOCAL_WRITE);
        foreign = RegisteredBuffer.allocate(otherDomain, RECEIVE_BYTES, writable);
        receives = RegisteredBuffer.allocate(domain, (long) RECEIVES * RECEIVE_BYTES, AccessFlags.LOCAL_WRITE);
        outgoing = RegisteredBuffer.allocate(domain, REGION_BYTES, AccessFlags.LOCAL_WRITE);
        UnsafeApi.setMemory(region.address(), REGION_BYTES, (byte) 0);
        sendQueue = context.createCompletionQueue(2 * SENDS);
        receiveQueue = context.createCompletionQueue(2 * RECEIVES);
        queuePair = domain.createQueuePair(new QueuePairSettings(sendQueue, receiveQueue, SENDS, RECEIVES));
        stream = device.accept(incoming, queuePair);
        for (int slot = 0; slot < RECEIVES; slot++) {
            post(slot);
        }
    }

    ObjectNode answer(ObjectNode answer) {
        answer.put("address", Long.toHexString(region.address())).put("rkey", region.rkey());
        answer.put("length", REGION_BYTES).put("receive_bytes", RECEIVE_BYTES).put("receives", RECEIVES);
        answer.put("read_only_address", Long.toHexString(readOnly.address())).put("read_only_rkey", readOnly.rkey());
        return answer.put("foreign_address", Long.toHexString(foreign.address()))
                .put("foreign_rkey", foreign.rkey());
    }

    private void post(int slot) {
        queuePair.claimReceive().id(slot).local(receives.lkey(), slotAddress(slot), RECEIVE_BYTES);
        queuePair.postReceive();
    }

    private long slotAddress(int slot) {
        return receives.address() + (long) slot * RECEIVE_BYTES;
    }

    boolean hasEnded() {
        return stream.closed().isDone();
    }

    int doWork() {
        int work = 0;
        while (receiveQueue.poll(completion)) {
            work++;
            hasFailed |= !completion.isSuccess();
            if (!hasFailed) {
                int slot = (int) completion.id();
                execute(slot, completion.length());
                if (queuePair.canPostReceive()) {
                    post(slot);
                }
            }
        }
        while (sendQueue.poll(completion)) {
            work++;
            hasFailed |= !completion.isSuccess();
        }
        return work;
    }

    /** A message that is no command, such as all zeros, asks for nothing. */
    private void execute(int slot, long length) {
        UnsafeBuffer command = new UnsafeBuffer(slotAddress(slot), RECEIVE_BYTES);
        int operation = length < COMMAND_BYTES ? 0 : command.getByte(0);
        int bytes = command.getInt(4, ByteOrder.BIG_ENDIAN);
        long offset = command.getInt(20, ByteOrder.BIG_ENDIAN) & 0xffff_ffffL;
        boolean isReadback = operation == READBACK;
        if (operation < WRITE
                || operation > READBACK
                || bytes < 0
                || bytes > REGION_BYTES
                || (isReadback && offset + bytes > REGION_BYTES)) {
            return;
        }
        int count = isReadback ? 1 : command.getShort(2, ByteOrder.BIG_ENDIAN) & 0xffff;
        if (!isReadback) {
            UnsafeApi.setMemory(outgoing.address(), REGION_BYTES, command.getByte(1));
        }
        RegisteredBuffer source = isReadback ? region : outgoing;
        for (int i = 0; i < count && queuePair.canPostSend(); i++) {
            SendWorkRequest request = queuePair.claimSend().id(i);
            long address = command.getLong(8, ByteOrder.BIG_ENDIAN);
            int rkey = command.getInt(16, ByteOrder.BIG_ENDIAN);
            request = switch (operation) {
                case WRITE -> request.rdmaWrite(rkey, address);
                case WRITE_IMM -> request.rdmaWriteWithImmediate(rkey, address, (int) offset);
                case SEND_IMM -> request.sendWithImmediate((int) offset);
                default -> request.send();
            };
            request.local(source.lkey(), source.address() + (isReadback ? offset : 0), bytes)
                    .signaled();
            queuePair.postSend();
        }
    }

    @Override
    public void close() {
        queuePair.close();
        sendQueue.close();
        receiveQueue.close();
        outgoing.close();
        receives.close();
        foreign.close();
        readOnly.close();
        region.close();
        otherDomain.close();
        domain.close();
    }
}
