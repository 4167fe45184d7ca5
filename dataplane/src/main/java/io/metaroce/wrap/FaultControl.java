// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

/**
 * The handle by which anyone changes the faults of a running port. The lane reads the plan once per burst; a change is seen
 * at its next turn.
 */
public final class FaultControl {
    private volatile FaultPlan plan;

    public FaultControl(FaultPlan plan) {
        this.plan = plan;
    }

    public FaultPlan plan() {
        return plan;
    }

    /** Replaces the plan, killed paths included. */
    public synchronized void plan(FaultPlan newPlan) {
        plan = newPlan;
    }

    /** From now on the path carries nothing. */
    public synchronized void killPath(int path) {
        plan = plan.withPathKilled(path);
    }

    /** The path carries again. */
    public synchronized void revivePath(int path) {
        plan = plan.withPathRevived(path);
    }
}
