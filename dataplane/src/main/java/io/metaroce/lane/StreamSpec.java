// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.queue.SlotRing;

/**
 * One stream, which is one queue pair. Its rings' memory stays mapped until {@link LaneEvent.Kind#STREAM_CLOSED} or
 * {@link LaneEvent.Kind#CONNECTION_FINISHED} says that the lane does not touch it any more.
 *
 * @param streamId agreed on the control channel, 0 to 65535
 * @param queuePairNumber ours, written into completions
 * @param protectionDomain whose registrations the stream may touch
 * @param sendRing work requests; the lane consumes
 * @param receiveRing posted receives; the lane consumes
 * @param sendCompletions the lane produces; may be shared by streams of one lane
 * @param receiveCompletions the lane produces; may be {@code sendCompletions}
 */
public record StreamSpec(
        int streamId,
        int queuePairNumber,
        int protectionDomain,
        SlotRing sendRing,
        SlotRing receiveRing,
        SlotRing sendCompletions,
        SlotRing receiveCompletions) {}
