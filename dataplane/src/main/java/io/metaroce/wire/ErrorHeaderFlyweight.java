// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * The operation header of ERROR; the message sequence of the DATA header names the refused request.
 *
 * <pre>
 *   | syndrome       | reserved                                          |   0
 * </pre>
 */
public final class ErrorHeaderFlyweight extends HeaderFlyweight {
    public static final int LENGTH = 4;

    static final int SYNDROME_OFFSET = 0;
    static final int RESERVED_OFFSET = 1;

    public int syndrome() {
        return uint8(SYNDROME_OFFSET);
    }

    public void syndrome(Syndrome syndrome) {
        int32(SYNDROME_OFFSET, syndrome.code() << 24);
    }
}
