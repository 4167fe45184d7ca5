// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/**
 * The queues of a stream, which is a queue pair: rings in memory of the application, laid out by
 * {@code io.metaroce.queue.SlotRing}. The memory stays mapped until the stream's {@code closed()} completes.
 *
 * @param queuePairNumber the application's, 24 bits, written into completions
 * @param protectionDomain whose registrations the stream may touch
 * @param send work requests
 * @param receive posted receives
 * @param sendCompletions completions of sends; may be shared by streams of one connection
 * @param receiveCompletions completions of receives; may be {@code sendCompletions}
 */
public record QueueSpec(
        int queuePairNumber,
        int protectionDomain,
        Ring send,
        Ring receive,
        Ring sendCompletions,
        Ring receiveCompletions) {
    /**
     * Where a ring lies.
     *
     * @param address first byte
     * @param lengthBytes as {@code SlotRing.bytesFor} its capacity
     */
    public record Ring(long address, int lengthBytes) {}
}
