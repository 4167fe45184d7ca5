// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.LaneCounter;
import io.metaroce.wire.ParseResult;

/** Which counter each verdict of the parser has; a table, since a switch on enums costs the hot path a second one. */
final class DropCounters {
    private static final LaneCounter[] BY_VERDICT = new LaneCounter[ParseResult.values().length];

    static {
        // MOP-RCV-29
        for (ParseResult verdict : ParseResult.values()) {
            if (verdict != ParseResult.OK) {
                // The names agree by construction; a verdict without a counter fails here, at the first use, in every
                // test.
                BY_VERDICT[verdict.ordinal()] = LaneCounter.valueOf("RX_DROPPED_" + verdict.name());
            }
        }
    }

    private DropCounters() {}

    /** The counter of a verdict other than OK. */
    static LaneCounter of(ParseResult verdict) {
        return BY_VERDICT[verdict.ordinal()];
    }
}
