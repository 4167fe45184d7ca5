// SPDX-License-Identifier: Apache-2.0
/**
 * Single-writer counters: longs in memory that other threads and, through a mapped file, other processes read.
 *
 * <p>Purpose: the one way numbers leave a lane. Threads: one writer for each block, any number of readers. May depend
 * on: nothing of ours. Must not: allocate after construction, lock, or reset a counter.
 */
@NullMarked
package io.metaroce.counters;

import org.jspecify.annotations.NullMarked;
