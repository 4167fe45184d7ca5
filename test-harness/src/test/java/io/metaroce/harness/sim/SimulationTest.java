// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.harness.check.OracleViolation;
import io.metaroce.transport.connection.BrokenRule;
import org.junit.jupiter.api.Test;

/**
 * Two connections in virtual time, from seeds: safety while everything goes wrong, then liveness. A failing seed is printed
 * and replayed with {@code -Dmetaroce.sim.seed=N}; {@code -Dmetaroce.sim.fresh=N} runs so many fresh seeds.
 */
class SimulationTest {
    private static final int FIXED_SEEDS = 1_200;
    private static final int FRESH_SEEDS = Integer.getInteger("metaroce.sim.fresh", 400);
    private static final int CLEAN_SEEDS = 400;
    private static final int PLANTED_SEEDS = 300;

    @Test
    void everySeedIsSafeUnderFaultsAndAliveAfterThem() {
        // MOP-RCV-1, MOP-RCV-2, MOP-STR-7, MOP-STR-16, MOP-LOSS-6, MOP-PATH-12
        Long replay = Long.getLong("metaroce.sim.seed");
        if (replay != null) {
            run(replay);
            return;
        }
        for (long seed = 1; seed <= FIXED_SEEDS; seed++) {
            run(seed);
        }
        long fresh = new SeededRandom(System.nanoTime()).nextLong() >>> 1;
        System.out.println("fresh simulation seeds " + fresh + " .. " + (fresh + FRESH_SEEDS - 1));
        for (long seed = fresh; seed < fresh + FRESH_SEEDS; seed++) {
            run(seed);
        }
    }

    @Test
    void aWireThatBehavesCostsNoRetransmissionAndNoTimeoutHoweverSkewedItsPaths() {
        for (long seed = 1; seed <= CLEAN_SEEDS; seed++) {
            ConnectionPair pair = new ConnectionPair(seed, true, BrokenRule.NONE);
            run(pair, seed);

            long again = pair.count(ConnectionCounter.TX_RETRANSMITTED_SACK)
                    + pair.count(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                    + pair.count(ConnectionCounter.TX_RETRANSMITTED_MOVED);
            assertThat(again).as("retransmissions of seed %d", seed).isZero();
            assertThat(pair.count(ConnectionCounter.ACK_TIMEOUTS))
                    .as("timeouts of seed %d", seed)
                    .isZero();
            assertThat(pair.count(ConnectionCounter.RX_DUPLICATES))
                    .as("duplicates of seed %d", seed)
                    .isZero();
        }
    }

    @Test
    void aTransportThatPlacesDuplicatesIsCaught() {
        assertThat(violations(BrokenRule.DEDUPE)).isPositive();
    }

    @Test
    void aTransportThatNeverRepairsIsCaught() {
        assertThat(violations(BrokenRule.REPAIR)).isPositive();
    }

    private static int violations(BrokenRule broken) {
        for (long seed = 1; seed <= PLANTED_SEEDS; seed++) {
            try {
                new ConnectionPair(seed, false, broken).run();
            } catch (OracleViolation caught) {
                return 1;
            }
        }
        return 0;
    }

    private static void run(long seed) {
        run(new ConnectionPair(seed, false, BrokenRule.NONE), seed);
    }

    private static void run(ConnectionPair pair, long seed) {
        try {
            pair.run();
        } catch (AssertionError | RuntimeException e) {
            fail(
                    "seed " + seed + " with " + pair.faults() + ": " + e + "; " + pair.diary()
                            + "; replay with -Dmetaroce.sim.seed=" + seed,
                    e);
        }
    }
}
