// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.queue.SlotRing;

/**
 * One stream, which is one queue pair, and its rings.
 *
 * @param streamId agreed on the control channel; the same number on both sides, 0 to 65535
 * @param queuePairNumber ours, written into completions
 * @param protectionDomain whose registrations the stream may touch
 * @param sendRing work requests; the connection consumes
 * @param receiveRing posted receives; the connection consumes
 * @param sendCompletions completions of sends; the connection produces; may be shared by streams of one lane
 * @param receiveCompletions completions of receives; may be the same ring as {@code sendCompletions}
 */
public record StreamSettings(
        int streamId,
        int queuePairNumber,
        int protectionDomain,
        SlotRing sendRing,
        SlotRing receiveRing,
        SlotRing sendCompletions,
        SlotRing receiveCompletions) {}
