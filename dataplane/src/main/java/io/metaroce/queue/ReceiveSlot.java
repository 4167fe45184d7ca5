// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

/**
 * A receive work request: where a SEND lands.
 *
 * <pre>
 *    0 work request id:64      8 local address:64     16 length:32     20 lkey:32     24 reserved to 64
 * </pre>
 */
public final class ReceiveSlot extends Slot {
    private static final int ID_OFFSET = 0;
    private static final int LOCAL_ADDRESS_OFFSET = 8;
    private static final int LENGTH_OFFSET = 16;
    private static final int LKEY_OFFSET = 20;

    public long id() {
        return int64(ID_OFFSET);
    }

    public void id(long id) {
        int64(ID_OFFSET, id);
    }

    public long localAddress() {
        return int64(LOCAL_ADDRESS_OFFSET);
    }

    /** Bytes of the buffer, unsigned 32 bit. */
    public long length() {
        return Integer.toUnsignedLong(int32(LENGTH_OFFSET));
    }

    public int lkey() {
        return int32(LKEY_OFFSET);
    }

    public void local(int lkey, long address, long length) {
        int32(LKEY_OFFSET, lkey);
        int64(LOCAL_ADDRESS_OFFSET, address);
        int32(LENGTH_OFFSET, (int) length);
    }
}
