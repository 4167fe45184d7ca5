// SPDX-License-Identifier: Apache-2.0
/**
 * What the harness's own applications share: payload that proves itself, and a transfer whose every byte is checked.
 *
 * <p>Purpose: the sending and the receiving half of a verified transfer over verbs, used by perf and demo. Threads: each
 * half belongs to the thread that drives it. May depend on: verbs, memory, queue, control. Must not: ask the transport
 * whether bytes are right.
 */
@NullMarked
package io.metaroce.harness.app;

import org.jspecify.annotations.NullMarked;
