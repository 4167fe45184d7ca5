// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * Posted-receive limits of several streams.
 *
 * <pre>
 *   | 1      | 3      | flags          | entries                         |   0
 *   | destination connection id                                          |   4
 *   | stream id                        | reserved                        |   8 + 8 i
 *   | posted-receive limit                                               |  12 + 8 i
 * </pre>
 */
public final class CreditFlyweight extends MopFlyweight {
    public static final int LENGTH = 8;
    public static final int ENTRY_LENGTH = 8;
    /** Entries that fit the smallest payload. */
    public static final int ENTRIES_MAX = 30;

    static final int ENTRIES_OFFSET = 2;
    static final int ENTRY_STREAM_OFFSET = 0;
    static final int ENTRY_RESERVED_OFFSET = 2;
    static final int ENTRY_LIMIT_OFFSET = 4;

    public int entries() {
        return uint16(ENTRIES_OFFSET);
    }

    public void entries(int count) {
        uint16(ENTRIES_OFFSET, count);
    }

    public int streamId(int entry) {
        return uint16(LENGTH + entry * ENTRY_LENGTH + ENTRY_STREAM_OFFSET);
    }

    public int limit(int entry) {
        return int32(LENGTH + entry * ENTRY_LENGTH + ENTRY_LIMIT_OFFSET);
    }

    public void entry(int entry, int streamId, int limit) {
        int at = LENGTH + entry * ENTRY_LENGTH;
        uint16(at + ENTRY_STREAM_OFFSET, streamId);
        uint16(at + ENTRY_RESERVED_OFFSET, 0);
        int32(at + ENTRY_LIMIT_OFFSET, limit);
    }
}
