// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.LaneCounter;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A lane whose packets all vanish: it stays calm, tells, forgets nothing and keeps nothing. */
class LaneBlackHoleTest {
    private static final int LIVES = 10_000;
    private static final int CONNECTIONS = 4;
    private static final int PATHS = 8;
    private static final int MESSAGE_BYTES = 64 << 10;
    private static final long PATIENCE_NS = 5_000_000_000L;
    /** A probe of each path every 100 ms at most, and what was in flight when the hole opened. */
    private static final int PACKETS_OF_A_SECOND_MAX = CONNECTIONS * PATHS * 10;

    private final CompletionSlot completion = new CompletionSlot();

    @Test
    void guardsB03AConnectionThatEndsWhenItsTimerIsDueLeavesNothingBehind() {
        long seed = 20_261_201;
        SplittableRandom random = new SplittableRandom(seed);
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        int free = pair.left.ports[0].freeBuffers();
        StreamSpec stream = pair.left.stream(1);
        StreamSpec peerStream = pair.right.stream(1);
        int abandoned = 0;
        for (int life = 0; life < LIVES; life++) {
            int localId = 10_000 + life;
            int remoteId = 20_000 + life;
            pair.left.ports[0].loses = packet -> false;
            pair.left.add(pair.left.spec(localId, remoteId, pair.right, 2));
            pair.right.add(pair.right.spec(remoteId, localId, pair.left, 2));
            pair.left.lane.control().openStream(1, localId, stream);
            pair.right.lane.control().openStream(1, remoteId, peerStream);
            pair.runUntil(() -> pair.left.readyConnections.contains(localId));
            pair.left.ports[0].loses = packet -> true;
            assertThat(pair.left.postWrite(stream, life, 0, MESSAGE_BYTES, pair.right))
                    .isTrue();
            pair.turns(1 + random.nextInt(5));

            pair.nowNs = Math.max(pair.nowNs, pair.left.lane.nextDeadlineNs() + pair.stepNs * random.nextInt(-2, 2));
            pair.left.lane.control().closeConnection(2, localId);
            pair.right.lane.control().closeConnection(2, remoteId);
            pair.runUntil(() -> pair.left.events.contains("finished " + localId)
                    && pair.right.events.contains("finished " + remoteId));

            assertThat(stream.sendCompletions().produced())
                    .as("completions of life %d, seed %d", life, seed)
                    .isEqualTo(life + 1);
            abandoned += take(stream, life) == CompletionStatus.SUCCESS ? 0 : 1;
            pair.left.events.clear();
            pair.right.events.clear();
            pair.left.readyConnections.clear();
            pair.right.readyConnections.clear();
            pair.turns(2);
            pair.left.takeEvents();
            assertThat(pair.left.events).as("nothing is told of the dead").isEmpty();
            assertThat(pair.left.lane.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        }
        assertThat(abandoned).isEqualTo(LIVES);
        pair.left.lane.stop(pair.nowNs);
        pair.right.lane.stop(pair.nowNs);
        assertThat(pair.left.ports[0].freeBuffers()).isEqualTo(free);
    }

    @Test
    void guardsB04NothingGetsThroughForHalfAMinuteAndTheLaneIsAsCalmAsItsTimers() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        List<StreamSpec> streams = connections(pair, 60_000_000_000L);
        pair.left.ports[0].loses = packet -> true;
        pair.right.ports[0].loses = packet -> true;
        for (StreamSpec stream : streams) {
            for (int i = 0; i < 64; i++) {
                assertThat(pair.left.postWrite(stream, i, 0, MESSAGE_BYTES, pair.right))
                        .isTrue();
            }
        }
        pair.turns(1_000);

        pair.stepNs = 100_000;
        long sentBefore = pair.left.get(LaneCounter.TX_PACKETS);
        for (int second = 0; second < 30; second++) {
            pair.turns(10_000);
            pair.left.takeEvents();
            pair.right.takeEvents();
        }
        long sent = pair.left.get(LaneCounter.TX_PACKETS) - sentBefore;

        assertThat(sent).isBetween(30L, 30L * PACKETS_OF_A_SECOND_MAX);
        pair.left.ports[0].loses = packet -> false;
        pair.right.ports[0].loses = packet -> false;
        for (StreamSpec stream : streams) {
            pair.runUntil(() -> stream.sendCompletions().produced() == 64);
        }
    }

    @Test
    void guardsB21OneOfFourPeersVanishesAndOnlyItsRequestsFail() {
        // MOP-STR-15, MOP-STR-27
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        List<StreamSpec> streams = connections(pair, PATIENCE_NS);
        pair.right.lane.control().closeConnection(90, 200);
        pair.turns(2);
        for (StreamSpec stream : streams) {
            for (int i = 0; i < 100; i++) {
                assertThat(pair.left.postWrite(stream, i, 0, MESSAGE_BYTES, pair.right))
                        .isTrue();
            }
        }

        pair.stepNs = 50_000;
        pair.runUntil(() ->
                streams.stream().allMatch(stream -> stream.sendCompletions().produced() == 100));

        assertThat(pair.left.events).contains("lost 100 timeout");
        CompletionStatus before = CompletionStatus.TRANSPORT_RETRY_EXCEEDED;
        assertThat(take(streams.get(0), 0)).isEqualTo(before);
        for (int i = 1; i < 100; i++) {
            CompletionStatus status = take(streams.get(0), i);
            assertThat(status).isIn(before, CompletionStatus.FLUSHED);
            before = status;
        }
        assertThat(before).as("requests that were never begun").isEqualTo(CompletionStatus.FLUSHED);
        for (StreamSpec unharmed : streams.subList(1, CONNECTIONS)) {
            for (int i = 0; i < 100; i++) {
                assertThat(take(unharmed, i)).isEqualTo(CompletionStatus.SUCCESS);
            }
        }
    }

    /** Connections 100.. of the left to 200.. of the right, each with a stream, ready. */
    private static List<StreamSpec> connections(LanePair pair, long patienceNs) {
        List<StreamSpec> streams = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            int leftId = 100 + i;
            int rightId = 200 + i;
            pair.left.add(patient(pair.left.spec(leftId, rightId, pair.right, PATHS), patienceNs));
            pair.right.add(patient(pair.right.spec(rightId, leftId, pair.left, PATHS), patienceNs));
            StreamSpec stream = pair.left.stream(1);
            pair.left.lane.control().openStream(10 + i, leftId, stream);
            pair.right.lane.control().openStream(10 + i, rightId, pair.right.stream(1));
            streams.add(stream);
            pair.runUntil(() -> pair.left.readyConnections.contains(leftId));
        }
        return streams;
    }

    private static ConnectionSpec patient(ConnectionSpec spec, long patienceNs) {
        return new ConnectionSpec(
                spec.localId(),
                spec.remoteId(),
                spec.planes(),
                spec.paths(),
                spec.payloadBytesMax(),
                spec.messageWindow(),
                spec.connectionWindowPackets(),
                spec.streamsMax(),
                spec.inFlightBytesMax(),
                new ConnectionSpec.Timing(2_000_000, patienceNs, patienceNs, 16, 1 << 20),
                spec.congestion(),
                spec.seed(),
                spec.sabotage());
    }

    private CompletionStatus take(StreamSpec stream, long id) {
        stream.sendCompletions().peek(completion);
        assertThat(completion.id()).isEqualTo(id);
        CompletionStatus status = completion.status();
        stream.sendCompletions().release();
        return status;
    }
}
