// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.harness.app.PayloadPattern;
import io.metaroce.harness.check.OracleViolation;
import org.agrona.UnsafeApi;
import org.agrona.collections.LongArrayList;

/**
 * Native memory of one host in which every claimed range has poisoned guards on both sides, and a range that was given back
 * stays poisoned to the end: whoever writes where nothing is lent, or no longer, is found.
 *
 * <pre>
 *   [guard][range ][guard][range        ][guard] ...
 * </pre>
 */
final class GuardedArena {
    private static final int GUARD_BYTES = 64;
    private static final int ALIGNMENT = 64;
    private static final long BYTES = 32L << 20;

    private final long start;
    /** Pairs of address and length that nobody may touch. */
    private final LongArrayList poisoned = new LongArrayList();

    private long next;

    GuardedArena() {
        start = UnsafeApi.allocateMemory(BYTES + ALIGNMENT) + ALIGNMENT - 1 & -ALIGNMENT;
        reset();
    }

    /** Forgets all ranges; between runs only. */
    void reset() {
        poisoned.clear();
        next = start;
        poison(next, GUARD_BYTES);
        next += GUARD_BYTES;
    }

    /** Lends a range at a multiple of 64 whose bytes are poisoned; never given twice in a run. */
    long claim(long lengthBytes) {
        long address = next;
        long end = address + lengthBytes;
        next = (end + GUARD_BYTES + ALIGNMENT - 1) & -ALIGNMENT;
        if (next > start + BYTES) {
            throw new IllegalStateException("the run is too long for its memory");
        }
        PayloadPattern.poison(address, lengthBytes);
        poison(end, next - end);
        return address;
    }

    /** The range is not lent any more: poisoned, and watched. */
    void giveBack(long address, long lengthBytes) {
        poison(address, lengthBytes);
    }

    /** @throws OracleViolation if a byte that nobody was lent has been written */
    void check(String owner) {
        for (int i = 0; i < poisoned.size(); i += 2) {
            long touched = PayloadPattern.countTouched(poisoned.getLong(i), poisoned.getLong(i + 1));
            if (touched > 0) {
                throw new OracleViolation(owner + ": " + touched + " bytes written outside of what was lent");
            }
        }
    }

    private void poison(long address, long lengthBytes) {
        PayloadPattern.poison(address, lengthBytes);
        poisoned.addLong(address);
        poisoned.addLong(lengthBytes);
    }
}
