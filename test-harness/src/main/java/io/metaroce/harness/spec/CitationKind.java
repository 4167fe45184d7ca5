// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a file that names a rule does for it. */
enum CitationKind {
    /** The implementation, which obeys. */
    OBEYED,
    /** A test, which proves. */
    TESTED,
    /** A case of the compliance suite, which demands. */
    DEMANDED;

    /**
     * Which kind a file's citations are; null if they are none, as in the passive check, which judges others.
     *
     * @param file relative to the root of the source tree
     */
    static @Nullable CitationKind of(Path file) {
        String name = "/" + file.toString().replace('\\', '/');
        if (name.contains("/src/test/") || name.contains("/harness/check/")) {
            return TESTED;
        }
        if (name.contains("/harness/compliance/")) {
            return DEMANDED;
        }
        boolean isJudge = name.contains("/harness/replay/") || name.contains("/harness/spec/");
        return isJudge ? null : OBEYED;
    }
}
