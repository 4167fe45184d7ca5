// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

/**
 * The name of what a packet carries, so that it can be written again.
 *
 * <pre>
 *   31   30              12 11              0
 *   | 0 | stream slot      | message row     |      packet of a message, its index apart
 *   | 1 | error slot                         |      an ERROR
 * </pre>
 */
final class Content {
    private static final int ROW_BITS = 12;
    /** Largest message window a name has room for. */
    static final int ROWS_MAX = 1 << ROW_BITS;

    private Content() {}

    static int ofMessage(int streamSlot, int row) {
        return streamSlot << ROW_BITS | row;
    }

    static int ofError(int errorSlot) {
        return Integer.MIN_VALUE | errorSlot;
    }

    static boolean isError(int content) {
        return content < 0;
    }

    static int errorSlot(int content) {
        return content & Integer.MAX_VALUE;
    }

    static int streamSlot(int content) {
        return content >>> ROW_BITS;
    }

    static int row(int content) {
        return content & (ROWS_MAX - 1);
    }
}
