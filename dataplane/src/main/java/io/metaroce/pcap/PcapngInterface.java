// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Interface description blocks.
 *
 * <pre>
 *   0           2           4              8
 *   +-----------+-----------+--------------+-----------
 *   | link type | reserved  | snap length  | options
 *   +-----------+-----------+--------------+-----------
 * </pre>
 */
final class PcapngInterface {
    static final int OPTION_NAME = 2;
    static final int OPTION_RESOLUTION = 9;
    static final int OPTION_FRAME_CHECK = 13;
    static final int OPTION_TIME_OFFSET = 14;

    private static final int FIXED_BYTES = 8;

    /** Files state the frame check length in bytes or, as the format's text has it, in bits: 4 or 32 mean the same. */
    private static final int FRAME_CHECK_BYTES_MAX = 8;

    private PcapngInterface() {}

    /** Reads the body from {@code body} to {@code end}; null when it is too short. */
    static @Nullable CaptureInterface read(DirectBuffer bytes, int body, int end, ByteOrder order) {
        if (end - body < FIXED_BYTES) {
            return null;
        }
        DirectBuffer options = new UnsafeBuffer(bytes, body + FIXED_BYTES, end - body - FIXED_BYTES);
        int name = PcapngOptions.find(options, 0, order, OPTION_NAME);
        int resolution = find(options, order, OPTION_RESOLUTION, 1);
        int frameCheck = find(options, order, OPTION_FRAME_CHECK, 1);
        int offset = find(options, order, OPTION_TIME_OFFSET, Long.BYTES);
        return new CaptureInterface(
                bytes.getShort(body, order) & 0xffff,
                bytes.getInt(body + 4, order),
                name < 0 ? "" : text(options, name, order),
                frameCheck < 0 ? 0 : frameCheckBytes(options.getByte(frameCheck) & 0xff),
                resolution < 0 ? CaptureTime.MICROSECONDS : options.getByte(resolution) & 0xff,
                offset < 0 ? 0 : options.getLong(offset, order));
    }

    /** Where the value of an option of a certain length begins, or -1. */
    private static int find(DirectBuffer options, ByteOrder order, int code, int length) {
        int at = PcapngOptions.find(options, 0, order, code);
        return at >= 0 && PcapngOptions.length(options, at, order) == length ? at + PcapngOptions.HEADER_BYTES : -1;
    }

    private static int frameCheckBytes(int stated) {
        return stated <= FRAME_CHECK_BYTES_MAX ? stated : stated / Byte.SIZE;
    }

    private static String text(DirectBuffer options, int at, ByteOrder order) {
        int length = Math.min(PcapngOptions.length(options, at, order), CaptureInterface.NAME_BYTES_MAX);
        byte[] text = new byte[length];
        options.getBytes(at + PcapngOptions.HEADER_BYTES, text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
