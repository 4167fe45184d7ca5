// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

/** How a counter behaves over time, which decides how it may be exported and summed. */
public enum CounterKind {
    /** Only grows; sums over lanes and connections make sense. */
    COUNTER,
    /** Goes up and down; the value of now. */
    GAUGE,
    /** The largest value since the start. */
    MAXIMUM
}
