// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

/**
 * One row of a counter table. The row's ordinal is its id in a {@link CounterBlock}; metrics, documents and tools are made
 * from the same row, so that they cannot disagree.
 */
public interface CounterRow {

    /** The id inside a block of this table. */
    int ordinal();

    /** Metric name without the {@code metaroce_} prefix and without {@code _total}. */
    String metricName();

    /** A label that tells rows of one metric apart, such as {@code reason}; empty if there is none. */
    String labelName();

    /** The label's value; empty if there is none. */
    String labelValue();

    CounterKind kind();

    CounterUnit unit();

    /** One sentence: what a value other than zero means. */
    String help();
}
