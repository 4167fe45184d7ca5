// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/** The backlog byte: 0 means nothing waits, else about {@code 2^(v/8) * 256} bytes. */
public final class Backlog {
    private static final long UNIT_BYTES = 256;
    private static final int STEPS_PER_OCTAVE = 8;
    private static final int CODE_MAX = 255;
    /** Ascending, one entry a code: bytes that the code stands for. */
    private static final long[] BYTES = new long[CODE_MAX + 1];

    static {
        for (int code = 1; code <= CODE_MAX; code++) {
            BYTES[code] = Math.round(Math.pow(2, (double) code / STEPS_PER_OCTAVE) * UNIT_BYTES);
        }
    }

    private Backlog() {}

    /** The smallest code that stands for at least so many bytes; saturates. */
    public static int encode(long bytes) {
        if (bytes <= 0) {
            return 0;
        }
        // MOP-PKT-9
        int octave = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes / UNIT_BYTES | 1));
        int code = Math.min(CODE_MAX, Math.max(1, octave * STEPS_PER_OCTAVE));
        while (code < CODE_MAX && BYTES[code] < bytes) {
            code++;
        }
        return code;
    }

    public static long decode(int code) {
        return BYTES[code & CODE_MAX];
    }
}
