// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import io.metaroce.queue.SlotRing;

/**
 * The lane's views of a queue pair's rings. A completion queue shared by both queues, or by several queue pairs, is one view,
 * because its producer keeps its index to itself.
 *
 * @param sendRing consumed by the lane
 * @param receiveRing consumed by the lane
 * @param sendCompletions produced by the lane
 * @param receiveCompletions produced by the lane; may be the same object
 */
public record QueuePairRings(
        SlotRing sendRing, SlotRing receiveRing, SlotRing sendCompletions, SlotRing receiveCompletions) {}
