// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import org.agrona.UnsafeApi;

/**
 * Bytes that name where they belong: each 64-bit word is mixed from the run's seed, the message's number and the word's
 * place, so that a stale, shifted or swapped byte looks right once in 128 times at most. Bit 0 of every byte is clear, and set
 * in the poison: a byte that nobody wrote is seen for certain.
 */
public final class PayloadPattern {
    /** What a checked buffer is overwritten with until it is granted again. */
    public static final byte POISON = (byte) 0xA5;

    private static final long POISON_WORD = 0xA5A5_A5A5_A5A5_A5A5L;
    private static final long MESSAGE_STEP = 0x9E37_79B9_7F4A_7C15L;
    private static final long PLACE_STEP = 0xD1B5_4A32_D192_ED03L;
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final long MULTIPLIER = 0xFF51_AFD7_ED55_8CCDL;

    private final long seed;

    public PayloadPattern(long seed) {
        this.seed = seed;
    }

    /** Fills {@code length} bytes of native memory with the payload of a message. */
    public void fill(long address, long length, long message) {
        long base = base(message);
        long words = length >>> 3;
        for (long i = 0; i < words; i++) {
            UnsafeApi.putLong(address + (i << 3), word(base, i));
        }
        for (long offset = words << 3; offset < length; offset++) {
            UnsafeApi.putByte(address + offset, byteAt(base, offset));
        }
    }

    /** Counts the bytes of native memory that are not the payload of the message. */
    public long countWrong(long address, long length, long message) {
        long base = base(message);
        long words = length >>> 3;
        long wrong = 0;
        for (long i = 0; i < words; i++) {
            if (UnsafeApi.getLong(address + (i << 3)) != word(base, i)) {
                wrong += countWrongBytes(address, base, i << 3, (i << 3) + Long.BYTES);
            }
        }
        return wrong + countWrongBytes(address, base, words << 3, length);
    }

    /** Overwrites a checked buffer, so that an old byte cannot pass for a new one. */
    public static void poison(long address, long length) {
        UnsafeApi.setMemory(address, length, POISON);
    }

    /** Counts the bytes of a poisoned buffer that somebody has written since. */
    public static long countTouched(long address, long length) {
        long words = length >>> 3;
        long touched = 0;
        for (long i = 0; i < words; i++) {
            long word = UnsafeApi.getLong(address + (i << 3));
            if (word != POISON_WORD) {
                touched += countNonPoison(word);
            }
        }
        for (long offset = words << 3; offset < length; offset++) {
            touched += UnsafeApi.getByte(address + offset) == POISON ? 0 : 1;
        }
        return touched;
    }

    private static int countNonPoison(long word) {
        int count = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            count += (byte) (word >>> shift) == POISON ? 0 : 1;
        }
        return count;
    }

    private static long countWrongBytes(long address, long base, long from, long to) {
        long wrong = 0;
        for (long offset = from; offset < to; offset++) {
            wrong += UnsafeApi.getByte(address + offset) == byteAt(base, offset) ? 0 : 1;
        }
        return wrong;
    }

    private long base(long message) {
        return mix(mix(seed) ^ (message + 1) * MESSAGE_STEP);
    }

    private static long word(long base, long index) {
        return mix(base + index * PLACE_STEP) & ~LOW_BITS;
    }

    /** Folds before it multiplies as well, so that neighbours do not differ by the same amount everywhere. */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 32) * MULTIPLIER;
        return mixed ^ mixed >>> 29;
    }

    private static byte byteAt(long base, long offset) {
        return (byte) (word(base, offset >>> 3) >>> ((offset & 7) << 3));
    }
}
