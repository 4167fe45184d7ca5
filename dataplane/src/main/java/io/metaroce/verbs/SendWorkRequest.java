// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.SendFlags;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;

/** A send work request being written, in place. Blank, it is an unsignaled SEND of zero bytes. */
public final class SendWorkRequest {
    private final WorkRequestSlot slot = new WorkRequestSlot();

    SendWorkRequest() {}

    WorkRequestSlot slot() {
        return slot;
    }

    SendWorkRequest clear() {
        slot.id(0);
        slot.local(0, 0, 0);
        slot.remote(0, 0);
        slot.immediate(0);
        slot.opcode(WorkRequestOpcode.SEND);
        slot.flags(0);
        return this;
    }

    /** The number that the completion will carry. */
    public SendWorkRequest id(long id) {
        slot.id(id);
        return this;
    }

    public SendWorkRequest rdmaWrite(int rkey, long remoteAddress) {
        slot.opcode(WorkRequestOpcode.RDMA_WRITE);
        slot.remote(rkey, remoteAddress);
        return this;
    }

    /** Also consumes a receive at the peer, whose completion carries {@code immediate}. */
    public SendWorkRequest rdmaWriteWithImmediate(int rkey, long remoteAddress, int immediate) {
        slot.opcode(WorkRequestOpcode.RDMA_WRITE_WITH_IMM);
        slot.remote(rkey, remoteAddress);
        slot.immediate(immediate);
        return this;
    }

    public SendWorkRequest send() {
        slot.opcode(WorkRequestOpcode.SEND);
        return this;
    }

    public SendWorkRequest sendWithImmediate(int immediate) {
        slot.opcode(WorkRequestOpcode.SEND_WITH_IMM);
        slot.immediate(immediate);
        return this;
    }

    /**
     * The bytes to send.
     *
     * @param lkey of the region that holds them; ignored for zero bytes
     * @param length bytes, 0 to 2^32 - 1
     */
    public SendWorkRequest local(int lkey, long address, long length) {
        slot.local(lkey, address, WorkRequestLength.checked(length));
        return this;
    }

    /** Asks for a completion also on success. */
    public SendWorkRequest signaled() {
        slot.flags(slot.flags() | SendFlags.SIGNALED);
        return this;
    }

    /** Asks the receiver to raise an event when it completes. */
    public SendWorkRequest solicited() {
        slot.flags(slot.flags() | SendFlags.SOLICITED);
        return this;
    }
}
