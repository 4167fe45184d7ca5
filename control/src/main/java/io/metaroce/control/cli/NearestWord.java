// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The known word that a mistyped one most likely meant: for options, commands and configuration keys alike. */
public final class NearestWord {
    private NearestWord() {}

    /**
     * The nearest of {@code known}, or null when none is near.
     *
     * <p>Near means: one is the beginning of the other (three characters at least), or at most a third of the longer
     * word's characters have to be changed, swapped with a neighbour, added or removed. A value glued on with {@code =} is
     * ignored. Of equally near words the first in the collection wins.
     */
    public static @Nullable String of(String typed, Collection<String> known) {
        String word = normalised(typed);
        String nearest = null;
        int nearestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            String other = normalised(candidate);
            int distance = distance(word, other);
            int shorter = Math.min(word.length(), other.length());
            boolean begins = shorter >= 3 && (word.startsWith(other) || other.startsWith(word));
            if ((begins || 3 * distance <= Math.max(word.length(), other.length())) && distance < nearestDistance) {
                nearest = candidate;
                nearestDistance = distance;
            }
        }
        return nearest;
    }

    private static String normalised(String word) {
        int equals = word.indexOf('=');
        String name = equals > 0 ? word.substring(0, equals) : word;
        return name.toLowerCase(Locale.ROOT).replaceFirst("^-+", "").replace('_', '-');
    }

    /** Damerau-Levenshtein, restricted: substitutions, insertions, deletions, swaps of neighbours. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least = Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1);
                least = Math.min(least, cost[i - 1][j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    least = Math.min(least, cost[i - 2][j - 2] + 1);
                }
                cost[i][j] = least;
            }
        }
        return cost[a.length()][b.length()];
    }
}
