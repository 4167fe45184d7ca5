// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came of a case.
 *
 * @param failure null if it passed
 * @param step of the script that was played last
 * @param recording null if the target was never reached
 */
record Verdict(
        Case of,
        @Nullable CaseFailure failure,
        String step,
        @Nullable Recording recording,
        long tookMs,
        Kind kind,
        String reason) {
    /** The four that there are. */
    enum Kind {
        PASS,
        FAIL,
        EXCLUDED,
        NOT_RUN;

        String text() {
            return name().replace('_', ' ').toUpperCase(Locale.ROOT);
        }
    }

    Verdict(Case of, @Nullable CaseFailure failure, String step, @Nullable Recording recording, long tookMs) {
        this(of, failure, step, recording, tookMs, failure == null ? Kind.PASS : Kind.FAIL, "");
    }

    /** A case that was not played. */
    static Verdict unplayed(Case of, Kind kind, String reason) {
        return new Verdict(of, null, "", null, 0, kind, reason);
    }

    /** The rule that a failed case names. */
    String rule() {
        CaseFailure why = failure;
        return why == null || why.rule.isEmpty() ? of.rules().get(0) : why.rule;
    }

    /** Everything about a failure, in a few lines. */
    String explanation() {
        CaseFailure why = failure;
        if (why == null) {
            return reason;
        }
        return "requirement " + rule() + "\nframe       " + (why.frame == 0 ? "none" : String.valueOf(why.frame))
                + "\nstep        " + of.group() + ".case:" + step + "\nexpected    " + why.expected + "\nseen        "
                + why.seen;
    }
}
