// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.ReceiveSlot;

/** A receive work request being written, in place. Blank, it takes zero bytes: right for writes with immediate. */
public final class ReceiveWorkRequest {
    private final ReceiveSlot slot = new ReceiveSlot();

    ReceiveWorkRequest() {}

    ReceiveSlot slot() {
        return slot;
    }

    ReceiveWorkRequest clear() {
        slot.id(0);
        slot.local(0, 0, 0);
        return this;
    }

    /** The number that the completion will carry. */
    public ReceiveWorkRequest id(long id) {
        slot.id(id);
        return this;
    }

    /**
     * Where a SEND lands.
     *
     * @param lkey of the region that holds the buffer
     * @param length bytes, 0 to 2^32 - 1
     */
    public ReceiveWorkRequest local(int lkey, long address, long length) {
        slot.local(lkey, address, WorkRequestLength.checked(length));
        return this;
    }
}
