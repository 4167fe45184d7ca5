// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which lines are printed: {@code type=ACK,path=3,ecn!=ECT0}. All terms must hold; a field that a packet does not have is
 * equal to nothing. Letter case does not matter in values.
 */
final class FieldFilter {
    /** Lets everything pass. */
    static final FieldFilter ALL = new FieldFilter(List.of());

    private final List<Term> terms;

    private record Term(Field field, String value, boolean isEqual) {
        boolean holds(Line line) {
            Object said = line.get(field);
            return (said != null && said.toString().toLowerCase(Locale.ROOT).equals(value)) == isEqual;
        }
    }

    private FieldFilter(List<Term> terms) {
        this.terms = terms;
    }

    boolean passes(Line line) {
        return terms.stream().allMatch(term -> term.holds(line));
    }

    /**
     * Reads a filter.
     *
     * @throws IllegalArgumentException with one line that names the term, and the keys there are
     */
    static FieldFilter parse(String text) {
        List<Term> terms = new ArrayList<>();
        for (String term : text.split(",", -1)) {
            int at = term.indexOf('=');
            if (at < 1) {
                throw new IllegalArgumentException("'" + term + "' is neither KEY=VALUE nor KEY!=VALUE");
            }
            boolean isEqual = term.charAt(at - 1) != '!';
            String key = term.substring(0, isEqual ? at : at - 1).strip();
            Field field = Field.of(key);
            if (field == null) {
                throw new IllegalArgumentException(
                        "unknown key '" + key + "', there are " + String.join(", ", Field.keys()));
            }
            terms.add(new Term(field, term.substring(at + 1).strip().toLowerCase(Locale.ROOT), isEqual));
        }
        return new FieldFilter(List.copyOf(terms));
    }
}
