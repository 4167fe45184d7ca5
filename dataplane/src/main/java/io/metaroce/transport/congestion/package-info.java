// SPDX-License-Identifier: Apache-2.0
/**
 * Congestion control of one path: plain numbers in, a window out.
 *
 * <p>Purpose: the strategy behind every path's window, and its implementations. Threads: the connection's. May depend on:
 * nothing of ours. Must not: know packets, read a clock, or allocate after construction.
 */
@NullMarked
package io.metaroce.transport.congestion;

import org.jspecify.annotations.NullMarked;
