// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.harness.check.OracleViolation;
import io.metaroce.harness.sim.LaneRun.Mood;
import io.metaroce.harness.sim.LaneRun.Planted;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole lanes in virtual time, from seeds: rings, registrations, queue pairs, connections that come and go, and every fault of
 * the wire. A failing seed is printed and replayed with {@code -Dmetaroce.lanes.seed=N}; {@code -Dmetaroce.lanes.fresh=N} runs
 * so many fresh seeds.
 */
class LaneSwarmTest {
    private static final int FIXED_SEEDS = 800;
    private static final int FRESH_SEEDS = Integer.getInteger("metaroce.lanes.fresh", 200);
    private static final int LONG_SEEDS = Integer.getInteger("metaroce.lanes.long", 12_000);
    private static final int CLEAN_SEEDS = 150;
    private static final int STALL_SEEDS = 100;
    private static final int PLANTED_SEEDS = 200;

    @Test
    void everySeedIsSafeAliveAndLeavesNothingBehind() {
        Long replay = Long.getLong("metaroce.lanes.seed");
        if (replay != null) {
            run(replay, Mood.SWARM);
            return;
        }
        for (long seed = 1; seed <= FIXED_SEEDS; seed++) {
            run(seed, Mood.SWARM);
        }
        runFresh(FRESH_SEEDS);
    }

    @Test
    @Tag("long")
    void tenThousandFreshSeedsAreSafeAliveAndLeaveNothingBehind() {
        runFresh(LONG_SEEDS);
    }

    @Test
    void lanesOnAWireThatBehavesRepeatNothingAndTimeNothingOut() {
        for (long seed = 1; seed <= CLEAN_SEEDS; seed++) {
            LaneRun run = run(seed, Mood.CLEAN);
            assertThat(again(run)).as("retransmissions of seed %d", seed).isZero();
            assertThat(run.count(ConnectionCounter.ACK_TIMEOUTS))
                    .as("timeouts of seed %d", seed)
                    .isZero();
            assertThat(run.count(ConnectionCounter.RX_DUPLICATES))
                    .as("duplicates of seed %d", seed)
                    .isZero();
        }
    }

    @Test
    void lanesThatStandStillLoseNoConnectionAndFailNoMessage() {
        for (long seed = 1; seed <= STALL_SEEDS; seed++) {
            run(seed, Mood.STALLS);
        }
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        for (long seed = 1; seed <= 10; seed++) {
            LaneRun first = run(seed, Mood.SWARM);
            LaneRun second = run(seed, Mood.SWARM);

            assertThat(second.elapsedNs()).isEqualTo(first.elapsedNs());
            assertThat(second.count(ConnectionCounter.TX_PACKETS)).isEqualTo(first.count(ConnectionCounter.TX_PACKETS));
            assertThat(second.diary()).isEqualTo(first.diary());
        }
    }

    @ParameterizedTest
    @EnumSource(value = Planted.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aPlantedFaultIsCaught(Planted planted) {
        for (long seed = 1; seed <= PLANTED_SEEDS; seed++) {
            try {
                new LaneRun(seed, Mood.SWARM, planted).run();
            } catch (OracleViolation caught) {
                return;
            }
        }
        fail("no oracle objects to " + planted + " within " + PLANTED_SEEDS + " seeds");
    }

    private static void runFresh(int seeds) {
        long fresh = new SeededRandom(System.nanoTime()).nextLong() >>> 1;
        System.out.println("fresh seeds of lanes " + fresh + " .. " + (fresh + seeds - 1));
        for (long seed = fresh; seed < fresh + seeds; seed++) {
            run(seed, Mood.SWARM);
        }
    }

    private static long again(LaneRun run) {
        return run.count(ConnectionCounter.TX_RETRANSMITTED_SACK)
                + run.count(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                + run.count(ConnectionCounter.TX_RETRANSMITTED_MOVED);
    }

    private static LaneRun run(long seed, Mood mood) {
        LaneRun run = new LaneRun(seed, mood, Planted.NONE);
        try {
            run.run();
        } catch (AssertionError | RuntimeException e) {
            fail(
                    "seed " + seed + " of " + mood + ": " + e + "; " + run.diary()
                            + "; replay with -Dmetaroce.lanes.seed=" + seed,
                    e);
        }
        return run;
    }
}
