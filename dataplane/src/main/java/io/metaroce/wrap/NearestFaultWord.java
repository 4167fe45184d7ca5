// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

/** Finds the word that was probably meant. */
final class NearestFaultWord {
    /** Letters that may differ before a guess is worse than the list. */
    private static final int DISTANCE_MAX = 2;

    private NearestFaultWord() {}

    /** The hint behind an unknown word: the nearest one, else all. */
    static String hint(String text) {
        FaultWord nearest = FaultWord.LOSS;
        int best = Integer.MAX_VALUE;
        StringBuilder all = new StringBuilder("the words are");
        for (FaultWord word : FaultWord.values()) {
            int distance = distance(text, word.text());
            if (distance < best) {
                best = distance;
                nearest = word;
            }
            all.append(' ').append(word.text());
        }
        return best <= DISTANCE_MAX ? "did you mean '" + nearest.text() + "'?" : all.toString();
    }

    /** Levenshtein's distance; a text much longer than any word is far from all of them without being measured. */
    private static int distance(String a, String b) {
        if (Math.abs(a.length() - b.length()) > DISTANCE_MAX) {
            return Integer.MAX_VALUE;
        }
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
