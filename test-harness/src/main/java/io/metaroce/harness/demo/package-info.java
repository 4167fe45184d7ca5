// SPDX-License-Identifier: Apache-2.0
/**
 * The demonstration: two daemons as processes of their own, a gigabyte between them, packets and a path lost on the way.
 *
 * <p>Purpose: show a stranger in a minute that nothing is lost, judged by checksummed payload and by the fault injector, never
 * by the transport. Threads: one drives each process, one reads each stream of text. May depend on: harness.app, control,
 * counters, wrap. Must not: trust what the code under demonstration says of itself.
 */
@NullMarked
package io.metaroce.harness.demo;

import org.jspecify.annotations.NullMarked;
