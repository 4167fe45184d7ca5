// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PayloadPatternTest {
    private static final int LENGTH = 4096;
    private static final int GUARD = 64;
    private static final byte GUARD_BYTE = 0x33;
    private static final PayloadPattern PATTERN = new PayloadPattern(42);

    private long memory;
    private long payload;

    @BeforeEach
    @BeforeTry
    void allocate() {
        memory = UnsafeApi.allocateMemory(LENGTH + 2 * GUARD);
        payload = memory + GUARD;
        UnsafeApi.setMemory(memory, LENGTH + 2 * GUARD, GUARD_BYTE);
    }

    @AfterEach
    @AfterTry
    void free() {
        UnsafeApi.freeMemory(memory);
    }

    @Property(tries = 300)
    void aFilledMessageIsRightAndOneChangedByteIsOneWrongByte(
            @ForAll @IntRange(max = LENGTH) int length,
            @ForAll @LongRange(max = 1L << 40) long message,
            @ForAll @IntRange(max = LENGTH) int place,
            @ForAll @IntRange(min = 1, max = 255) int flip) {
        PATTERN.fill(payload, length, message);
        assertThat(PATTERN.countWrong(payload, length, message)).isZero();
        assertThat(guardIsIntact(length)).isTrue();
        if (length > 0) {
            long at = payload + place % length;
            UnsafeApi.putByte(at, (byte) (UnsafeApi.getByte(at) ^ flip));
            assertThat(PATTERN.countWrong(payload, length, message)).isEqualTo(1);
        }
    }

    private boolean guardIsIntact(int length) {
        for (int i = 0; i < GUARD; i++) {
            if (UnsafeApi.getByte(memory + i) != GUARD_BYTE || UnsafeApi.getByte(payload + length + i) != GUARD_BYTE) {
                return false;
            }
        }
        return true;
    }

    @Property(tries = 200)
    void everyByteOfAPoisonedMessageIsWrongAndEveryByteWrittenOverPoisonIsSeen(
            @ForAll @IntRange(min = 1, max = LENGTH) int length, @ForAll long message) {
        PayloadPattern.poison(payload, length);
        assertThat(PATTERN.countWrong(payload, length, message)).isEqualTo(length);
        assertThat(PayloadPattern.countTouched(payload, length)).isZero();

        PATTERN.fill(payload, length / 2, message);

        assertThat(PATTERN.countWrong(payload, length, message)).isEqualTo(length - length / 2);
        assertThat(PayloadPattern.countTouched(payload, length)).isEqualTo(length / 2);
    }

    /** By chance one byte in 128 of another place looks right; twice that would be a pattern that repeats. */
    private static final long WRONG_MIN = LENGTH - LENGTH / 64;

    @Test
    void aStaleMessageAndOneOfAnotherRunAreWrongNearlyEverywhere() {
        for (long other : new long[] {0, 6, 8, 7 + (1L << 32), -7}) {
            PATTERN.fill(payload, LENGTH, other);
            assertThat(PATTERN.countWrong(payload, LENGTH, 7))
                    .as("message %d for 7", other)
                    .isGreaterThan(WRONG_MIN);
        }
        for (long seed : new long[] {41, 43, 42 ^ (1L << 63), 0}) {
            new PayloadPattern(seed).fill(payload, LENGTH, 7);
            assertThat(PATTERN.countWrong(payload, LENGTH, 7))
                    .as("seed %d for 42", seed)
                    .isGreaterThan(WRONG_MIN);
        }
    }

    @Test
    void bytesShiftedBySomePlacesAreWrongNearlyEverywhere() {
        long shifted = UnsafeApi.allocateMemory(2 * LENGTH);
        try {
            PATTERN.fill(shifted, 2 * LENGTH, 7);
            for (int shift : new int[] {1, 2, 3, 4, 7, 8, 16, 64, 256, 1024, 2048, 4096}) {
                assertThat(PATTERN.countWrong(shifted + shift, LENGTH, 7))
                        .as("shifted by %d", shift)
                        .isGreaterThan(WRONG_MIN);
            }
        } finally {
            UnsafeApi.freeMemory(shifted);
        }
    }

    @Test
    void twoSwappedPacketsAreWrongNearlyEverywhere() {
        long packet = LENGTH / 4;
        PATTERN.fill(payload, LENGTH, 7);
        for (int i = 0; i < packet; i++) {
            byte kept = UnsafeApi.getByte(payload + i);
            UnsafeApi.putByte(payload + i, UnsafeApi.getByte(payload + 2 * packet + i));
            UnsafeApi.putByte(payload + 2 * packet + i, kept);
        }
        assertThat(PATTERN.countWrong(payload, LENGTH, 7)).isBetween(2 * packet * 63 / 64, 2 * packet);
    }

    @Test
    void wordsDoNotRepeatWithinAMessageOrBetweenItsNeighbours() {
        Set<Long> words = new HashSet<>();
        for (long message = 0; message < 64; message++) {
            PATTERN.fill(payload, LENGTH, message);
            for (int at = 0; at < LENGTH; at += Long.BYTES) {
                words.add(UnsafeApi.getLong(payload + at));
            }
        }
        assertThat(words).hasSize(64 * LENGTH / Long.BYTES);
    }
}
