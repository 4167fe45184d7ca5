// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/**
 * A link and the queue before it.
 *
 * @param rateBitsPerSecond of the link
 * @param delayPs propagation, and the latency of the device at its end
 * @param queue the queue before it
 */
public record LinkSpec(long rateBitsPerSecond, long delayPs, QueueSpec queue) {
    public LinkSpec {
        if (rateBitsPerSecond < 1_000_000 || delayPs < 0) {
            throw new IllegalArgumentException("a link has at least 1 Mbit/s and no negative delay");
        }
    }

    public static LinkSpec of(double gigabitsPerSecond, double delayUs, QueueSpec queue) {
        return new LinkSpec(Math.round(gigabitsPerSecond * 1e9), Math.round(delayUs * 1e6), queue);
    }
}
