// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory: keys, rights, and the one explicit check that stands between a packet and an address.
 *
 * <p>Purpose: no byte moves into or out of application memory except through {@link io.metaroce.memory.MemoryRegionTable}.
 * Threads: a table belongs to one lane. May depend on: nothing of ours. Must not: trust its callers' arithmetic, depend on
 * {@code -ea} or on a library's bounds checks, or allocate after construction.
 */
@NullMarked
package io.metaroce.memory;

import org.jspecify.annotations.NullMarked;
