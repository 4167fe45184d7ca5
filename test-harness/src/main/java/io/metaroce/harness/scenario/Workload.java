// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.List;

/** What hosts want to send. Built from settings, connected, started, then driven by what arrives. */
interface Workload extends Mesh.Ranks {
    /** Pairs that talk: sender, receiver; for measures and connections. */
    List<int[]> pairs();

    void start(long nowNs);

    boolean isDone();

    /** Messages whose completion counts, and bytes of payload they have; what collectives move counts once for each hop. */
    long completedBytes();

    /** Durations of what completed, in ns, in order of completion. */
    List<Long> durationsNs();
}
