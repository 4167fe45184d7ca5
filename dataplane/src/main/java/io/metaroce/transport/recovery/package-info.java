// SPDX-License-Identifier: Apache-2.0
/**
 * Loss recovery: what is in flight on a path, what has arrived, and the one rule that tells a lost packet.
 *
 * <p>Purpose: sequence bookkeeping of both directions. Threads: the connection's. May depend on: wire. Must not: know
 * messages, memory or routes; content is two opaque numbers.
 */
@NullMarked
package io.metaroce.transport.recovery;

import org.jspecify.annotations.NullMarked;
