// SPDX-License-Identifier: Apache-2.0
/**
 * Two endpoints in virtual time: the very transport of the daemon, a wire with faults, and a workload, all from one seed.
 *
 * <p>Purpose: thousands of runs a build, each replayable from its seed. Threads: none. May depend on: dataplane, check. Must
 * not: read a clock, use unordered collections, or draw from any source but the seed.
 */
@NullMarked
package io.metaroce.harness.sim;

import org.jspecify.annotations.NullMarked;
