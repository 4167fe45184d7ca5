// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.nio.ByteBuffer;

/** Text to UTF-8 without allocating; half a surrogate pair becomes a question mark, as the library has it. */
final class Utf8 {
    private static final int BYTES_PER_CODE_POINT_MAX = 4;

    private Utf8() {}

    /** Encodes whole code points while they surely fit, and leaves out the rest. */
    static void encode(CharSequence text, ByteBuffer into) {
        int at = 0;
        while (at < text.length() && into.remaining() >= BYTES_PER_CODE_POINT_MAX) {
            int codePoint = Character.codePointAt(text, at);
            at += Character.charCount(codePoint);
            put(Character.getType(codePoint) == Character.SURROGATE ? '?' : codePoint, into);
        }
    }

    private static void put(int codePoint, ByteBuffer into) {
        if (codePoint < 0x80) {
            into.put((byte) codePoint);
        } else if (codePoint < 0x800) {
            into.put((byte) (0xc0 | codePoint >>> 6)).put(continuation(codePoint));
        } else if (codePoint < 0x10000) {
            into.put((byte) (0xe0 | codePoint >>> 12));
            into.put(continuation(codePoint >>> 6)).put(continuation(codePoint));
        } else {
            into.put((byte) (0xf0 | codePoint >>> 18)).put(continuation(codePoint >>> 12));
            into.put(continuation(codePoint >>> 6)).put(continuation(codePoint));
        }
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }
}
