// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Options of pcapng blocks: walks a list that may be cut or lie about its lengths.
 *
 * <pre>
 *   0        2        4                          padded to 4
 *   +--------+--------+--------------------------+---------
 *   |  code  | length | value, length bytes      | next ...     code 0, length 0 ends the list
 *   +--------+--------+--------------------------+---------
 * </pre>
 */
final class PcapngOptions {
    static final int HEADER_BYTES = 4;
    private static final int END_OF_OPTIONS = 0;

    private PcapngOptions() {}

    /** Code of the option at a place that {@link #isWhole}. */
    static int code(DirectBuffer options, int at, ByteOrder order) {
        return options.getShort(at, order) & 0xffff;
    }

    /** Bytes of the value of the option at a place that {@link #isWhole}. */
    static int length(DirectBuffer options, int at, ByteOrder order) {
        return options.getShort(at + 2, order) & 0xffff;
    }

    /** Whether an option begins here and ends inside the list. */
    static boolean isWhole(DirectBuffer options, int at, ByteOrder order) {
        return at >= 0
                && options.capacity() - at >= HEADER_BYTES
                && length(options, at, order) <= options.capacity() - at - HEADER_BYTES;
    }

    static boolean isEnd(DirectBuffer options, int at, ByteOrder order) {
        return code(options, at, order) == END_OF_OPTIONS;
    }

    /** Where the option after this one begins; may lie beyond the list. */
    static int next(DirectBuffer options, int at, ByteOrder order) {
        return at + HEADER_BYTES + ((length(options, at, order) + 3) & ~3);
    }

    /** Where the first option of a code begins, at or after {@code from}; -1 when there is none. */
    static int find(DirectBuffer options, int from, ByteOrder order, int code) {
        int at = from;
        // Each turn moves on by at least HEADER_BYTES, so the list bounds the loop.
        while (isWhole(options, at, order) && !isEnd(options, at, order)) {
            if (code(options, at, order) == code) {
                return at;
            }
            at = next(options, at, order);
        }
        return -1;
    }
}
