// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

/**
 * A key names a registration: an index into the table and a tag that is drawn at random for each registration, so that a
 * stale key never matches and a key cannot be guessed from another.
 *
 * <pre>
 *   31                              12 11                    0
 *   +---------------------------------+-----------------------+
 *   | tag, random, never 0            | index                 |
 *   +---------------------------------+-----------------------+
 * </pre>
 */
public final class MemoryKey {
    public static final int INDEX_BITS = 12;
    /** Registrations a host can hold at one time. */
    public static final int INDEX_COUNT = 1 << INDEX_BITS;
    /** Distinct tags; 0 is not among them. */
    public static final int TAG_COUNT = (1 << (Integer.SIZE - INDEX_BITS)) - 1;

    private MemoryKey() {}

    /**
     * @param index 0 to {@link #INDEX_COUNT} - 1
     * @param tag 1 to {@link #TAG_COUNT}, from a secure random source, different from the index's last one
     */
    public static int of(int index, int tag) {
        if (index < 0 || index >= INDEX_COUNT || tag < 1 || tag > TAG_COUNT) {
            throw new IllegalArgumentException("memory key index or tag out of range");
        }
        return tag << INDEX_BITS | index;
    }

    /** Whether the number has the form of a key; no registration need have it. */
    public static boolean isKey(int key) {
        return key >>> INDEX_BITS != 0;
    }

    public static int index(int key) {
        return key & (INDEX_COUNT - 1);
    }
}
