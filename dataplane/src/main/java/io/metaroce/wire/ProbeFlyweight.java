// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * A PROBE asks for an acknowledgement of its path at once; padded, it proves the largest packet a path carries.
 *
 * <pre>
 *   | 1      | 2      | flags          | path id        | epoch          |   0
 *   | destination connection id                                          |   4
 *   | transmit timestamp, 16 ns                                          |   8
 *   | padding length in bytes          | reserved                        |  12
 *   | padding ...                                                        |  16
 * </pre>
 */
public final class ProbeFlyweight extends MopFlyweight {
    public static final int LENGTH = 16;

    /** The answer is also wanted through one other live path, naming this one. */
    public static final int FLAG_ANY_PATH = 1;

    static final int PATH_ID_OFFSET = 2;
    static final int EPOCH_OFFSET = 3;
    static final int TIMESTAMP_OFFSET = 8;
    static final int PADDING_LENGTH_OFFSET = 12;
    static final int RESERVED_OFFSET = 14;

    public int pathId() {
        return uint8(PATH_ID_OFFSET);
    }

    public void pathId(int id) {
        uint8(PATH_ID_OFFSET, id);
    }

    public int epoch() {
        return uint8(EPOCH_OFFSET);
    }

    public void epoch(int epoch) {
        uint8(EPOCH_OFFSET, epoch);
    }

    public int timestamp() {
        return int32(TIMESTAMP_OFFSET);
    }

    public void timestamp(int timestamp) {
        int32(TIMESTAMP_OFFSET, timestamp);
    }

    public int paddingLength() {
        return uint16(PADDING_LENGTH_OFFSET);
    }

    public void paddingLength(int bytes) {
        uint16(PADDING_LENGTH_OFFSET, bytes);
        uint16(RESERVED_OFFSET, 0);
    }
}
