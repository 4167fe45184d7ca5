// SPDX-License-Identifier: Apache-2.0
/**
 * {@code metaroce perf}: perftest's questions, with every byte of the answer checked.
 *
 * <p>Purpose: measure writes and sends between two processes, in perftest's letters and tables. Threads: the main thread posts,
 * polls and prints; services of the node run on the node's threads and hand over through a queue. May depend on: app, control,
 * verbs, counters, wrap. Must not: count a byte that was not checked, unless told to; wait without a bound.
 */
@NullMarked
package io.metaroce.harness.perf;

import org.jspecify.annotations.NullMarked;
