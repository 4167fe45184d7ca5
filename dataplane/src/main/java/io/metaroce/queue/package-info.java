// SPDX-License-Identifier: Apache-2.0
/**
 * The queue pair's contract between application and lane: rings of 64-byte slots in shared memory.
 *
 * <p>Purpose: work requests in, completions out, with nothing but loads and stores. Threads: each ring has one producer and
 * one consumer, which may be different processes. May depend on: nothing of ours. Must not: block, allocate after
 * construction, or change its layout without a new {@link io.metaroce.queue.SlotRing#LAYOUT_VERSION}.
 */
@NullMarked
package io.metaroce.queue;

import org.jspecify.annotations.NullMarked;
