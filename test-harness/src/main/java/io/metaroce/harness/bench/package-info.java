// SPDX-License-Identifier: Apache-2.0

/**
 * {@code metaroce bench peers}: what others would give on this very machine, run in turn with ours, so that ratios mean
 * something where absolute numbers do not.
 *
 * <p>Threads: one conductor; every measured thing is a child process. May depend on: anything. Must not: be depended on.
 */
@NullMarked
package io.metaroce.harness.bench;

import org.jspecify.annotations.NullMarked;
