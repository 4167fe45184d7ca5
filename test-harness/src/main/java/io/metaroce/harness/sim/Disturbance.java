// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

/**
 * Something that is done to a run in the middle of its traffic.
 *
 * @param kind what
 * @param victim number of the flow concerned; its host or connection where those are meant
 * @param afterCompletions done once that flow has so many sends completed
 * @param lastsNs how long, for those that end
 */
record Disturbance(Kind kind, int victim, int afterCompletions, long lastsNs) {
    enum Kind {
        /** The memory that a flow sends from is deregistered. */
        SOURCE_GONE,
        /** The memory that a flow's peer writes to is deregistered. */
        TARGET_GONE,
        /** The memory of posted receives is deregistered. */
        RECEIVES_GONE,
        QUEUE_PAIR_CLOSED,
        CONNECTION_CLOSED,
        LANE_STOPPED,
        LANE_DIES,
        /** A plane's link goes down, and up again. */
        PLANE_FLAPS,
        /** No receives are posted for a while: the sender waits for credit. */
        RECEIVES_LATE,
        /** The lane is not called for a while. */
        LANE_STALLS
    }

    private static final Kind[] KINDS = Kind.values();

    static Disturbance drawn(SeededRandom random, int flows) {
        return new Disturbance(
                KINDS[random.below(KINDS.length)],
                random.below(flows),
                random.below(12),
                random.between(10_000, 20_000_000));
    }
}
