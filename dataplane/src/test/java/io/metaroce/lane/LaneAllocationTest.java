// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.LaneCounter;
import io.metaroce.queue.CompletionStatus;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * What a lane allocates, measured by the virtual machine itself, over a million packets.
 *
 * <p>The just-in-time compiler resolves a method's string constants, such as the messages of assertions, on the thread that
 * made the method hot, which shows as a few hundred bytes once for each method. Hence several rounds, of which one must be
 * clean: whatever the lane allocated itself would show in all of them.
 */
class LaneAllocationTest {
    private static final int MESSAGE_BYTES = 64 << 10;
    private static final int OUTSTANDING = 32;
    private static final long WARM_UP_PACKETS = 200_000;
    private static final int ROUNDS_MAX = 4;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long posted;
    private long completed;

    @Test
    void aMillionPacketsThroughTwoLanesAllocateNothing() {
        LanePair pair = new LanePair(2, LaneSettings.SIMULATED);
        ConnectionCounters counters = pair.connect(8);
        StreamSpec stream = pair.openStream(3);

        long allocatedBytes = leastOverRounds(pair, stream, 1_000_000);

        assertThat(counters.get(ConnectionCounter.ACK_TIMEOUTS)).isZero();
        assertThat(allocatedBytes).isZero();
    }

    @Test
    void repairingLossAllocatesNothingEither() {
        LanePair pair = new LanePair(2, LaneSettings.SIMULATED);
        ConnectionCounters counters = pair.connect(8);
        StreamSpec stream = pair.openStream(3);
        for (JoinedPort port : pair.left.ports) {
            port.loses = packet -> packet % 50 == 7;
        }

        long allocatedBytes = leastOverRounds(pair, stream, 200_000);

        assertThat(counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                        + counters.get(ConnectionCounter.TX_RETRANSMITTED_PROBE))
                .isGreaterThan(3_000);
        assertThat(allocatedBytes).isZero();
    }

    private long leastOverRounds(LanePair pair, StreamSpec stream, long packets) {
        carry(pair, stream, WARM_UP_PACKETS);
        long leastBytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS_MAX && leastBytes > 0; round++) {
            leastBytes = Math.min(leastBytes, carry(pair, stream, packets));
        }
        return leastBytes;
    }

    /** Carries so many packets from left to right; returns bytes allocated on this thread, which runs all of it. */
    private long carry(LanePair pair, StreamSpec stream, long packets) {
        long end = pair.right.get(LaneCounter.RX_PACKETS) + packets;
        long before = threads.getCurrentThreadAllocatedBytes();
        while (pair.right.get(LaneCounter.RX_PACKETS) < end) {
            while (posted - completed < OUTSTANDING
                    && pair.left.postWrite(stream, posted, 0, MESSAGE_BYTES, pair.right)) {
                posted++;
            }
            pair.turn();
            while (pair.left.takeCompletion(stream, CompletionStatus.SUCCESS, completed)) {
                completed++;
            }
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
