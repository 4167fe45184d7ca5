// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon: everything built in one place, its signals, and the commands {@code daemon}, {@code devinfo} and {@code
 * config}.
 *
 * <p>Purpose: assemble ports, lanes, control channel and metrics from a configuration, and take them down again. Threads:
 * start and close from one thread; the parts have their own. May depend on: lane, memory, port, wrap, queue, counters and
 * every room of control. Must not: know wire, transport or verbs; carry policy that belongs to a room.
 */
@NullMarked
package io.metaroce.control.daemon;

import org.jspecify.annotations.NullMarked;
