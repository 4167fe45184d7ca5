// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

/** The target did not do what a case demands. */
final class CaseFailure extends RuntimeException {
    private static final long serialVersionUID = 1;
    final String rule;
    final String expected;
    final String seen;

    /** Frame of the capture that decided; 0 if there is none. */
    int frame;

    /**
     * @param rule broken; empty for the first of the case
     */
    CaseFailure(String rule, String expected, String seen) {
        super("expected " + expected + ", seen " + seen);
        this.rule = rule;
        this.expected = expected;
        this.seen = seen;
    }
}
