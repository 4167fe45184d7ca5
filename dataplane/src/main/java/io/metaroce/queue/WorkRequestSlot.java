// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

/**
 * A send work request.
 *
 * <pre>
 *    0 work request id:64      8 local address:64     16 remote address:64
 *   24 length:32              28 lkey:32              32 rkey:32
 *   36 immediate:32           40 opcode:8             41 flags:8   42 reserved to 64
 * </pre>
 */
public final class WorkRequestSlot extends Slot {
    private static final int ID_OFFSET = 0;
    private static final int LOCAL_ADDRESS_OFFSET = 8;
    private static final int REMOTE_ADDRESS_OFFSET = 16;
    private static final int LENGTH_OFFSET = 24;
    private static final int LKEY_OFFSET = 28;
    private static final int RKEY_OFFSET = 32;
    private static final int IMMEDIATE_OFFSET = 36;
    private static final int OPCODE_OFFSET = 40;
    private static final int FLAGS_OFFSET = 41;

    public long id() {
        return int64(ID_OFFSET);
    }

    public void id(long id) {
        int64(ID_OFFSET, id);
    }

    public long localAddress() {
        return int64(LOCAL_ADDRESS_OFFSET);
    }

    public int lkey() {
        return int32(LKEY_OFFSET);
    }

    /** Bytes of the message, unsigned 32 bit. */
    public long length() {
        return Integer.toUnsignedLong(int32(LENGTH_OFFSET));
    }

    public void local(int lkey, long address, long length) {
        int32(LKEY_OFFSET, lkey);
        int64(LOCAL_ADDRESS_OFFSET, address);
        int32(LENGTH_OFFSET, (int) length);
    }

    public long remoteAddress() {
        return int64(REMOTE_ADDRESS_OFFSET);
    }

    public int rkey() {
        return int32(RKEY_OFFSET);
    }

    public void remote(int rkey, long address) {
        int32(RKEY_OFFSET, rkey);
        int64(REMOTE_ADDRESS_OFFSET, address);
    }

    public int immediate() {
        return int32(IMMEDIATE_OFFSET);
    }

    public void immediate(int immediate) {
        int32(IMMEDIATE_OFFSET, immediate);
    }

    /** See {@link WorkRequestOpcode}; not trusted by the lane. */
    public int opcode() {
        return uint8(OPCODE_OFFSET);
    }

    public void opcode(WorkRequestOpcode opcode) {
        uint8(OPCODE_OFFSET, opcode.code());
    }

    /** See {@link SendFlags}. */
    public int flags() {
        return uint8(FLAGS_OFFSET);
    }

    public void flags(int flags) {
        uint8(FLAGS_OFFSET, flags);
    }
}
