// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scenario as read: cells that each run with every seed, and checks over their measures.
 *
 * @param cells by name, in order
 * @param checks in order
 */
public record Scenario(String name, String about, List<Long> seeds, Map<String, Settings> cells, List<Check> checks) {

    /** How a measure over several seeds becomes one number. */
    enum Over {
        MEAN,
        LEAST,
        MOST,
        SUM
    }

    /**
     * One bar.
     *
     * @param cells whose measure counts; the worst of them decides
     * @param over cell by whose value it is divided; null for none
     * @param atLeast whether the bar is a lower one
     */
    record Check(
            String name,
            String metric,
            List<String> cells,
            @Nullable String over,
            Over seeds,
            boolean atLeast,
            double bar) {}
}
