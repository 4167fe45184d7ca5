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
    /** Messages under way: enough to keep the wire full, few enough to stay in a desktop's memory. */
    private static final int SLOTS = 64;

    private static final int HELD_SLOTS = 16;

    private DemoPlan() {}

    static TransferPlan transfer(long messageBytes, long seed) {
        return new TransferPlan(TransferPlan.Operation.WRITE, messageBytes, SLOTS, HELD_SLOTS, seed, true);
    }
}
