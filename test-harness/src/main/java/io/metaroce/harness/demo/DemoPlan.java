// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import io.metaroce.harness.app.TransferPlan;

/** What both of the demonstration's processes and the demo itself agree on. */
final class DemoPlan {
    static final String SERVICE = "demo";
    static final String HOST = "127.0.0.1";
    static final int PATHS = 8;
    /** The path that is killed half way and revived. */
    static final int VICTIM = 3;
    /** Messages under way at most: enough to keep the wire full, few enough to stay in a desktop's memory. */
    private static final int SLOTS_MAX = 64;
    /** Parts of the transfer that are never under way at once, so that half way is seen before the end. */
    private static final int PARTS = 16;

    private static final int HELD_PART = 4;

    private DemoPlan() {}

    /** Messages that are sent before the path is killed: a path without traffic dies late, and nothing moves off it. */
    static long untilKilled(long messages) {
        return (messages + 1) / 2;
    }

    static TransferPlan transfer(long messages, long messageBytes, long seed) {
        int slots = Integer.highestOneBit((int) Math.min(SLOTS_MAX, Math.max(HELD_PART, messages / PARTS)));
        return new TransferPlan(TransferPlan.Operation.WRITE, messageBytes, slots, slots / HELD_PART, seed, true);
    }
}
