// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** What a link did so far. */
public final class LinkCounters {
    long packets;
    long bytes;
    long drops;
    long lost;
    long marks;
    long pauses;
    long queuedBytesMax;

    /** Packets transmitted, those that were then lost included. */
    public long packets() {
        return packets;
    }

    /** Bytes transmitted, with all framing. */
    public long bytes() {
        return bytes;
    }

    /** Packets that found the queue full. */
    public long drops() {
        return drops;
    }

    /** Packets lost on the cable: by a fault, or because the link was down. */
    public long lost() {
        return lost;
    }

    /** Packets marked. */
    public long marks() {
        return marks;
    }

    /** Times the link was paused. */
    public long pauses() {
        return pauses;
    }

    /** The longest queue so far, in bytes. */
    public long queuedBytesMax() {
        return queuedBytesMax;
    }
}
