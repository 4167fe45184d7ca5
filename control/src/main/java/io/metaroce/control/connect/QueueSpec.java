// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.queue.SlotRing;

/**
 * The queues of a stream, which is a queue pair, as the lane sees them. Their memory is the application's and stays mapped
 * until the stream's {@code closed()} completes.
 *
 * @param queuePairNumber the application's, 24 bits, written into completions
 * @param protectionDomain whose registrations the stream may touch
 * @param sendRing work requests; the lane consumes
 * @param receiveRing posted receives; the lane consumes
 * @param sendCompletions the lane produces; may be shared by streams of connections of one lane
 * @param receiveCompletions the lane produces; may be {@code sendCompletions}
 */
public record QueueSpec(
        int queuePairNumber,
        int protectionDomain,
        SlotRing sendRing,
        SlotRing receiveRing,
        SlotRing sendCompletions,
        SlotRing receiveCompletions) {}
