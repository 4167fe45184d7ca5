// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * Which planes the sender can receive on; the latest sequence number wins.
 *
 * <pre>
 *   | 1      | 5      | flags          | reserved                        |   0
 *   | destination connection id                                          |   4
 *   | sequence                                                           |   8
 *   | mask of usable planes, least significant bit = plane 0             |  12
 * </pre>
 */
public final class PlaneStatusFlyweight extends MopFlyweight {
    public static final int LENGTH = 16;

    static final int RESERVED_OFFSET = 2;
    static final int SEQUENCE_OFFSET = 8;
    static final int PLANES_OFFSET = 12;

    public int sequence() {
        return int32(SEQUENCE_OFFSET);
    }

    public void sequence(int sequence) {
        uint16(RESERVED_OFFSET, 0);
        int32(SEQUENCE_OFFSET, sequence);
    }

    public int planes() {
        return int32(PLANES_OFFSET);
    }

    public void planes(int mask) {
        int32(PLANES_OFFSET, mask);
    }
}
