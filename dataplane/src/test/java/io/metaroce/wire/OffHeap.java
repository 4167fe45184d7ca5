// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Native memory of exactly the size asked for, so that the buffer's bounds check catches any step outside. */
final class OffHeap {
    private OffHeap() {}

    static UnsafeBuffer of(int length) {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    static UnsafeBuffer copyOf(byte[] bytes) {
        UnsafeBuffer buffer = of(bytes.length);
        buffer.putBytes(0, bytes);
        return buffer;
    }

    static byte[] bytesOf(UnsafeBuffer buffer, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
