// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.lane.ConnectionSpec.Sabotage;

/**
 * What a program that embeds a node may want beyond the configuration.
 *
 * @param listens whether peers can connect to this node; a pure client opens no control port
 * @param faultsCanChange whether faults stand in front of the ports even if none are configured, so that they can be
 *     switched on while the node runs
 * @param sabotage a rule of the protocol left out, to show that a checker notices
 */
public record NodeOptions(boolean listens, boolean faultsCanChange, Sabotage sabotage) {
    /** A node that serves and does as the protocol says. */
    public static final NodeOptions SERVING = new NodeOptions(true, false, Sabotage.NONE);

    /** A node that only connects to others. */
    public static final NodeOptions CLIENT = new NodeOptions(false, false, Sabotage.NONE);

    public NodeOptions withFaults() {
        return new NodeOptions(listens, true, sabotage);
    }

    public NodeOptions withSabotage(Sabotage rule) {
        return new NodeOptions(listens, faultsCanChange, rule);
    }
}
