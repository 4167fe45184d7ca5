// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

/**
 * A path that dies and may come back by the clock.
 *
 * @param path id, 0 to 255
 * @param fromNs when it dies, counted from the first turn of the port under the plan
 * @param untilNs when it comes back, {@link Long#MAX_VALUE} for never
 */
public record PathKill(int path, long fromNs, long untilNs) {
    boolean isActive(long sinceStartNs) {
        return sinceStartNs >= fromNs && sinceStartNs < untilNs;
    }
}
