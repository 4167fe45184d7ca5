// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The near match for a word that was probably misspelt. */
final class Suggestion {
    private static final int WORD_LENGTH_MAX = 64;

    private Suggestion() {}

    /** {@code did you mean "x"?}, or nothing when no candidate is near. */
    static String phrase(String word, Collection<String> candidates) {
        String near = nearest(word, candidates);
        return near == null ? "" : "did you mean \"" + near + "\"?";
    }

    static @Nullable String nearest(String word, Collection<String> candidates) {
        if (word.length() > WORD_LENGTH_MAX) {
            return null;
        }
        String best = null;
        int bestDistance = 1 + Math.max(1, word.length() / 3);
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best;
    }

    /** Edits (insert, delete, replace, swap of neighbours) between two words. */
    static int distance(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int step(int[][] edits, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(edits[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
