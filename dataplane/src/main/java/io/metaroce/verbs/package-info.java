// SPDX-License-Identifier: Apache-2.0
/**
 * The application's API, in the words of RDMA verbs: context, protection domain, memory region, completion queue, queue pair.
 *
 * <p>Purpose: post work and poll completions with loads and stores into the rings of {@code queue}, whoever serves them. A
 * {@link io.metaroce.verbs.Device} does the slow things (registration, memory for rings); connecting a queue pair, which makes
 * it one stream of a connection, is the device owner's business, as the connection manager stands beside verbs. Threads:
 * objects are created and closed by any one thread at a time; a queue pair is posted to by one thread; a completion queue is
 * polled by one thread. May depend on: memory, queue. Must not: allocate or block in post and poll, or know transport, lanes or
 * control.
 */
@NullMarked
package io.metaroce.verbs;

import org.jspecify.annotations.NullMarked;
