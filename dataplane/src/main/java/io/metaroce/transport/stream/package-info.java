// SPDX-License-Identifier: Apache-2.0
/**
 * Streams: messages cut into packets, packets gathered into messages, completions in order.
 *
 * <p>Purpose: one queue pair's requester and responder halves. Threads: the connection's. May depend on: wire, memory, queue.
 * Must not: know paths or sequences below the message.
 */
@NullMarked
package io.metaroce.transport.stream;

import org.jspecify.annotations.NullMarked;
