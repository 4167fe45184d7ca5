// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

/** A set of path ids, 0 to 255; immutable. */
public record PathSet(long word0, long word1, long word2, long word3) {
    public static final int PATHS = 256;
    public static final PathSet EMPTY = new PathSet(0, 0, 0, 0);

    public PathSet with(int path) {
        check(path);
        long bit = 1L << path;
        return switch (path >>> 6) {
            case 0 -> new PathSet(word0 | bit, word1, word2, word3);
            case 1 -> new PathSet(word0, word1 | bit, word2, word3);
            case 2 -> new PathSet(word0, word1, word2 | bit, word3);
            default -> new PathSet(word0, word1, word2, word3 | bit);
        };
    }

    public PathSet without(int path) {
        check(path);
        long mask = ~(1L << path);
        return switch (path >>> 6) {
            case 0 -> new PathSet(word0 & mask, word1, word2, word3);
            case 1 -> new PathSet(word0, word1 & mask, word2, word3);
            case 2 -> new PathSet(word0, word1, word2 & mask, word3);
            default -> new PathSet(word0, word1, word2, word3 & mask);
        };
    }

    /** Whether a path is in the set; false for anything that is no path id. */
    public boolean contains(int path) {
        if (path < 0 || path >= PATHS) {
            return false;
        }
        long word = switch (path >>> 6) {
            case 0 -> word0;
            case 1 -> word1;
            case 2 -> word2;
            default -> word3;
        };
        return (word >>> path & 1) != 0;
    }

    public boolean isEmpty() {
        return (word0 | word1 | word2 | word3) == 0;
    }

    private static void check(int path) {
        if (path < 0 || path >= PATHS) {
            throw new IllegalArgumentException("a path is a number from 0 to 255, not " + path);
        }
    }
}
