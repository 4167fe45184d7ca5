// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The ledger: of each rule, who obeys it, who proves it, or why it is excepted.
 *
 * @param rows in the order of the specification
 */
record Coverage(List<Row> rows) {
    /**
     * A line of the ledger.
     *
     * @param exception why the rule is not obeyed; empty if it is
     */
    record Row(Rule rule, List<Citation> obeyed, List<Citation> tested, List<Citation> demanded, String exception) {
        boolean isExcepted() {
            return !exception.isEmpty();
        }

        /** An obligation that nobody speaks of. */
        boolean isUncited() {
            return rule.isObligation() && obeyed.isEmpty() && tested.isEmpty() && demanded.isEmpty() && !isExcepted();
        }
    }

    static Coverage of(SourceTree tree) throws IOException {
        Map<String, String> exceptions = tree.exceptions();
        Map<CitationKind, Map<String, List<Citation>>> citations = tree.citations();
        List<Row> rows = new ArrayList<>();
        for (Rule rule : tree.rules()) {
            rows.add(new Row(
                    rule,
                    of(citations, CitationKind.OBEYED, rule),
                    of(citations, CitationKind.TESTED, rule),
                    of(citations, CitationKind.DEMANDED, rule),
                    exceptions.getOrDefault(rule.id(), "")));
        }
        return new Coverage(rows);
    }

    private static List<Citation> of(
            Map<CitationKind, Map<String, List<Citation>>> citations, CitationKind kind, Rule rule) {
        return Objects.requireNonNull(citations.get(kind)).getOrDefault(rule.id(), List.of());
    }

    /** Obligations. */
    long must() {
        return rows.stream().filter(row -> row.rule().isObligation()).count();
    }

    /** Obligations that the implementation cites and no exception takes back. */
    long obeyed() {
        return rows.stream()
                .filter(row -> row.rule().isObligation() && !row.isExcepted())
                .filter(row -> !row.obeyed().isEmpty())
                .count();
    }

    /** Obligations that a test names. */
    long tested() {
        return rows.stream()
                .filter(row -> row.rule().isObligation() && !row.tested().isEmpty())
                .count();
    }

    /** Obligations that a case of the compliance suite demands. */
    long demanded() {
        return rows.stream()
                .filter(row -> row.rule().isObligation() && !row.demanded().isEmpty())
                .count();
    }

    /** Obligations with a reasoned exception. */
    long excepted() {
        return rows.stream()
                .filter(row -> row.rule().isObligation() && row.isExcepted())
                .count();
    }

    /** Obligations that nobody speaks of. */
    long uncited() {
        return rows.stream().filter(Row::isUncited).count();
    }
}
