// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

/** Flags of a send work request. */
public final class SendFlags {
    /** Completion wanted also on success. */
    public static final int SIGNALED = 1;
    /** Ask the receiver to raise an event at its completion. */
    public static final int SOLICITED = 1 << 1;

    private SendFlags() {}
}
