// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/** The life of a lane; its position is the value of {@code LaneCounter.STATE}. */
public enum LaneState {
    /** Built, never run. */
    NEW,
    RUNNING,
    /** Stopped as asked: ports closed, every connection's requests completed. */
    STOPPED,
    /** A programming error ended the duty cycle; the lane carries nothing any more. */
    FAILED
}
