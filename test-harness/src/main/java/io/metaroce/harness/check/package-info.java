// SPDX-License-Identifier: Apache-2.0
/**
 * Oracles: what must be true of a run, judged from memory, completions and the wire alone.
 *
 * <p>Purpose: a verdict that does not ask the code under test. Threads: the run's. May depend on: queue, memory,
 * harness.app (pattern). Must not: look into the transport.
 */
@NullMarked
package io.metaroce.harness.check;

import org.jspecify.annotations.NullMarked;
