// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import io.metaroce.wire.AckFlyweight;
import java.util.Arrays;

/**
 * What has arrived of a 32-bit sequence: everything before {@link #next}, and any of the {@code capacity} numbers from it
 * on. Serves the path sequence (capacity 256) and the connection sequence (capacity up to 16,384).
 *
 * <pre>
 *   ring of capacity bits, most significant bit of word 0 first; bit (sequence mod capacity)
 *   ... received | next | next+1 ... next+capacity-1 | beyond
 * </pre>
 */
public final class SequenceWindow {
    /** The verdict on an arriving sequence. */
    public enum Verdict {
        NEW,
        DUPLICATE,
        BEYOND
    }

    private static final int WORD_BITS = Long.SIZE;

    private final long[] ring;
    private final int mask;
    private int next;
    private int marked;

    /**
     * @param capacity a power of two, at least 64
     */
    public SequenceWindow(int capacity) {
        if (capacity < WORD_BITS || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("window must be a power of two of at least 64, was " + capacity);
        }
        this.ring = new long[capacity / WORD_BITS];
        this.mask = capacity - 1;
    }

    /** The lowest sequence that has not arrived. */
    public int next() {
        return next;
    }

    /** Whether something has arrived beyond the lowest missing one. */
    public boolean hasHole() {
        return marked > 0;
    }

    public Verdict classify(int sequence) {
        int distance = sequence - next;
        if (distance < 0) {
            return Verdict.DUPLICATE;
        }
        if (distance > mask) {
            return Verdict.BEYOND;
        }
        return isMarked(sequence) ? Verdict.DUPLICATE : Verdict.NEW;
    }

    /** Records the arrival of a sequence whose verdict is {@link Verdict#NEW}. */
    public void mark(int sequence) {
        assert classify(sequence) == Verdict.NEW;
        if (sequence != next) {
            ring[(sequence & mask) >>> 6] |= Long.MIN_VALUE >>> (sequence & 63);
            marked++;
            return;
        }
        next++;
        while (marked > 0 && isMarked(next)) {
            ring[(next & mask) >>> 6] &= ~(Long.MIN_VALUE >>> (next & 63));
            marked--;
            next++;
        }
    }

    /** Starts again, expecting {@code first}. */
    public void reset(int first) {
        Arrays.fill(ring, 0);
        next = first;
        marked = 0;
    }

    /** Writes the 256-bit SACK vector: bit i is sequence {@code next + 1 + i}. Only for a window of 256. */
    public void writeSack(AckFlyweight ack) {
        assert ring.length == AckFlyweight.SACK_BITS / WORD_BITS;
        int start = (next + 1) & mask;
        int word = start >>> 6;
        int shift = start & 63;
        for (int i = 0; i < ring.length; i++) {
            long high = ring[(word + i) & (ring.length - 1)] << shift;
            long low = shift == 0 ? 0 : ring[(word + i + 1) & (ring.length - 1)] >>> (WORD_BITS - shift);
            ack.sackWord(i, high | low);
        }
    }

    private boolean isMarked(int sequence) {
        return (ring[(sequence & mask) >>> 6] & Long.MIN_VALUE >>> (sequence & 63)) != 0;
    }
}
