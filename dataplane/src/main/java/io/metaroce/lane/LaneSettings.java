// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.port.PacketBurst;

/**
 * The bounds of a duty cycle. Each step of a cycle ends at its bound, so that a cycle's length is bounded too, and what is
 * left over waits for the next.
 *
 * @param connectionsMax connections at one time, 1 to 131072
 * @param burstPackets descriptors of a burst in each direction, 1 to {@link PacketBurst#CAPACITY_MAX}
 * @param receiveBurstsMax receive calls of a cycle on each port, at least 1
 * @param transmitPacketsMax packets of a cycle over all connections, at least 1
 * @param workRequestsMax work requests taken in a cycle over all connections, at least 1
 * @param commandsMax commands carried out in a cycle, at least 1
 * @param commandSlots slots of the command ring, a power of two
 * @param eventSlots slots of the event ring, a power of two
 * @param stallBoundNs gap between two cycles above which the loop counts as having stood still; deadlines then move by the
 *     excess over this bound, so that time still passes in a loop that is always slow. Above the longest idle park, at most
 *     half the timeout floor; {@link Long#MAX_VALUE} where the loop is driven by events, as in the simulator
 * @param quarantineNs how long a used connection id stays out of use, so that late packets meet nobody
 * @param quarantineMax used ids kept at one time; beyond it the oldest is released early, counted
 */
public record LaneSettings(
        int connectionsMax,
        int burstPackets,
        int receiveBurstsMax,
        int transmitPacketsMax,
        int workRequestsMax,
        int commandsMax,
        int commandSlots,
        int eventSlots,
        long stallBoundNs,
        long quarantineNs,
        int quarantineMax) {
    private static final int CONNECTIONS_LIMIT = 1 << 17;
    private static final int RING_LIMIT = 1 << 20;

    /** For a lane that runs on a thread of its own. */
    public static final LaneSettings DEFAULT =
            new LaneSettings(4_096, 64, 4, 256, 256, 16, 256, 4_096, 1_000_000, 60_000_000_000L, 1 << 16);

    /** For a lane whose caller decides when time passes: no gap is a stall, and nothing is large. */
    public static final LaneSettings SIMULATED =
            new LaneSettings(64, 32, 4, 256, 256, 16, 64, 1_024, Long.MAX_VALUE, 60_000_000_000L, 256);

    public LaneSettings {
        require(connectionsMax >= 1 && connectionsMax <= CONNECTIONS_LIMIT, "connectionsMax must be 1..131072");
        require(burstPackets >= 1 && burstPackets <= PacketBurst.CAPACITY_MAX, "burstPackets must be 1..256");
        require(receiveBurstsMax >= 1, "receiveBurstsMax must be at least 1");
        require(transmitPacketsMax >= 1, "transmitPacketsMax must be at least 1");
        require(workRequestsMax >= 1, "workRequestsMax must be at least 1");
        require(commandsMax >= 1, "commandsMax must be at least 1");
        require(isRingSize(commandSlots) && isRingSize(eventSlots), "rings must be powers of two up to 2^20");
        require(stallBoundNs > 0, "stallBoundNs must be positive");
        require(quarantineNs >= 0 && quarantineMax >= 1 && quarantineMax <= RING_LIMIT, "quarantine out of range");
    }

    private static boolean isRingSize(int slots) {
        return slots >= 1 && slots <= RING_LIMIT && Integer.bitCount(slots) == 1;
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
