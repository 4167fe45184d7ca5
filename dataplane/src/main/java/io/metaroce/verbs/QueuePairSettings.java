// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/**
 * What a queue pair is made of.
 *
 * @param sendQueue where its sends complete
 * @param receiveQueue where its receives complete; may be the same
 * @param sendDepth send requests that can be outstanding; rounded up to a power of two
 * @param receiveDepth receives that can be posted; rounded up to a power of two
 */
public record QueuePairSettings(
        CompletionQueue sendQueue, CompletionQueue receiveQueue, int sendDepth, int receiveDepth) {}
