// SPDX-License-Identifier: Apache-2.0
/**
 * The control channel: how two hosts agree on a connection and its streams before the first packet.
 *
 * <p>Purpose: HELLO, CONNECT, OPEN_STREAM and their answers over TCP, as length-prefixed JSON; the set of connections. The
 * decisions are a value machine ({@link io.metaroce.control.connect.ConnectionManager}: messages and times in, messages and
 * dataplane commands out); sockets stand in one class. Threads: one control thread owns everything here; applications reach
 * it by messages. May depend on: port (addresses), counters, queue, Jackson, config (what an
 * address literal is). Must not: know wire, transport or verbs, touch a
 * packet, or log a key or an application's private data.
 */
@NullMarked
package io.metaroce.control.connect;

import org.jspecify.annotations.NullMarked;
