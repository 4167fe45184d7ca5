// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A window of native memory over a channel. It grows only when it is full of bytes that really arrived, so a capture
 * that claims a long record costs nothing, and never beyond {@link #WINDOW_BYTES_MAX}.
 */
final class ByteSource {
    /** Longest run of bytes that {@link #has} grants: a record of 16 MiB and its header. */
    static final int WINDOW_BYTES_MAX = (16 << 20) + 64;

    private static final int WINDOW_BYTES_INITIAL = 256 << 10;

    /** A channel that keeps returning nothing is not blocking; it is treated as ended rather than spun on. */
    private static final int EMPTY_READS_MAX = 1000;

    private final ReadableByteChannel channel;
    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES_INITIAL);
    private int head;
    private int tail;
    private long consumedBytes;
    private boolean ended;

    ByteSource(ReadableByteChannel channel) {
        this.channel = channel;
        this.bytes.wrap(window);
    }

    /** Whether {@code count} bytes are at the head, after reading as needed. Moves the window; views become invalid. */
    boolean has(int count) throws IOException {
        assert count >= 0 && count <= WINDOW_BYTES_MAX;
        // Each turn reads at least one byte, or counts towards EMPTY_READS_MAX.
        int emptyReads = 0;
        while (tail - head < count && !ended) {
            makeRoom();
            int read = channel.read(window.limit(window.capacity()).position(tail));
            if (read > 0) {
                tail += read;
                emptyReads = 0;
            } else {
                emptyReads++;
                ended = read < 0 || emptyReads >= EMPTY_READS_MAX;
            }
        }
        return tail - head >= count;
    }

    /** Bytes at the head that have been read already. */
    int available() {
        return tail - head;
    }

    /** The memory; bytes {@code head()} to {@code head() + available()} are meaningful. */
    DirectBuffer bytes() {
        return bytes;
    }

    ByteBuffer window() {
        return window;
    }

    int head() {
        return head;
    }

    /** Bytes consumed since the beginning: the head's place in the file. */
    long position() {
        return consumedBytes;
    }

    /** Consumes bytes that {@link #has} granted. */
    void advance(int count) {
        assert count <= tail - head;
        head += count;
        consumedBytes += count;
    }

    /** Consumes bytes without keeping them. Returns false when the channel ends first. */
    boolean skip(long count) throws IOException {
        long left = count;
        while (left > 0) {
            if (!has(1)) {
                return false;
            }
            int step = (int) Math.min(left, tail - head);
            advance(step);
            left -= step;
        }
        return true;
    }

    private void makeRoom() {
        if (head == tail) {
            head = 0;
            tail = 0;
        } else if (tail == window.capacity()) {
            int kept = tail - head;
            if (head < window.capacity() / 2) {
                ByteBuffer larger = ByteBuffer.allocateDirect(grownBytes());
                new UnsafeBuffer(larger).putBytes(0, bytes, head, kept);
                window = larger;
                bytes.wrap(larger);
            } else {
                bytes.putBytes(0, bytes, head, kept);
            }
            head = 0;
            tail = kept;
        }
    }

    /** Twice the longest run is enough: a run that does not fit then lies in the upper half, and is moved down. */
    private int grownBytes() {
        return (int) Math.min(2L * window.capacity(), 2L * WINDOW_BYTES_MAX);
    }
}
