// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/**
 * A queue before a link. Sizes in bytes on the wire.
 *
 * @param capacityBytes beyond which arrivals are dropped
 * @param markFromBytes below which nothing is marked; {@link Long#MAX_VALUE} if nothing ever is
 * @param markAllBytes from which everything is marked; in between the probability rises evenly; equal to
 *     {@code markFromBytes} for a step
 * @param controlFirst whether acknowledgements overtake data
 */
public record QueueSpec(long capacityBytes, long markFromBytes, long markAllBytes, boolean controlFirst) {
    public QueueSpec {
        if (capacityBytes < 1 || markFromBytes < 0 || markAllBytes < markFromBytes) {
            throw new IllegalArgumentException("a queue holds something and marks from below to above");
        }
    }

    /** No loss but of what exceeds {@code capacityBytes}, and no marks. */
    public static QueueSpec tailDrop(long capacityBytes) {
        return new QueueSpec(capacityBytes, Long.MAX_VALUE, Long.MAX_VALUE, false);
    }

    public boolean marks() {
        return markFromBytes != Long.MAX_VALUE;
    }
}
