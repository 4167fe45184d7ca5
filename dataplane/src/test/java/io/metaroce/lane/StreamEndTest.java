// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of requests when a stream, a connection or a lane ends in the middle of them; each was found by a seed. */
class StreamEndTest {
    private static final int STREAM = 3;
    private static final int PAYLOAD = 4_096;

    /** Seed 210 of LaneSwarmTest: only the message's last packet was answered by an ERROR, and it had arrived before. */
    @Test
    void aMessageWithAHoleDoesNotSucceedWhenThePeersStreamClosesBeforeTheRepair() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(1);
        StreamSpec stream = pair.openStream(STREAM);
        int first = pair.left.ports[0].transmitted;
        pair.left.ports[0].loses = packet -> packet == first;
        pair.left.postWrite(stream, 0, 0, 3 * PAYLOAD, pair.right);
        pair.nowNs += pair.stepNs;
        pair.left.lane.doWork(pair.nowNs);
        pair.right.lane.doWork(pair.nowNs);
        // The last packet is placed; the stream closes, and only then does the first come again.
        pair.right.lane.control().closeStream(pair.right.nextCorrelation(), LanePair.RIGHT_ID, STREAM);
        pair.nowNs += pair.stepNs;
        pair.right.lane.doWork(pair.nowNs);

        pair.runUntil(() -> stream.sendCompletions().available() > 0);

        assertThat(statuses(stream)).containsExactly(CompletionStatus.REMOTE_INVALID_REQUEST);
    }

    /** Seed 138: a stream was forgotten while its ring held more requests than the message window. */
    @Test
    void aStreamThatClosesFlushesAlsoWhatTheMessageWindowHadNoRoomFor() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(2);
        StreamSpec stream = pair.openStream(STREAM);
        pair.right.lane.control().closeStream(pair.right.nextCorrelation(), LanePair.RIGHT_ID, STREAM);
        pair.turns(2);
        int posted = 0;
        while (pair.left.postWrite(stream, posted, 0, PAYLOAD, pair.right)) {
            posted++;
        }
        pair.left.lane.control().closeStream(pair.left.nextCorrelation(), LanePair.LEFT_ID, STREAM);

        pair.runUntil(() -> pair.left.events.contains("stream closed " + LanePair.LEFT_ID + "/" + STREAM));

        assertThat(posted).as("more than the window of 256").isGreaterThanOrEqualTo(256);
        assertThat(statuses(stream)).hasSize(posted).doesNotContain(CompletionStatus.SUCCESS);
    }

    /** Seed 40. */
    @Test
    void aLaneThatStopsFlushesAllThatItsRingsHold() {
        LanePair pair = new LanePair(
                1, new LaneSettings(64, 32, 4, 256, 2, 16, 64, 1_024, Long.MAX_VALUE, 60_000_000_000L, 256));
        pair.connect(2);
        StreamSpec stream = pair.openStream(STREAM);
        int posted = 0;
        while (pair.left.postWrite(stream, posted, 0, PAYLOAD, pair.right)) {
            posted++;
        }

        pair.left.lane.stop(pair.nowNs);
        pair.left.takeEvents();

        assertThat(statuses(stream)).hasSize(posted);
        assertThat(pair.left.events).contains("finished " + LanePair.LEFT_ID);
    }

    /** Seed 705: nothing was in flight and no path was in service, so nothing counted as awaited. */
    @Test
    void dataThatNoPathCanCarryFailsWhenThePeerStaysSilent() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(1);
        StreamSpec stream = pair.openStream(STREAM);
        pair.left.ports[0].isUp = false;
        pair.turns(2);
        pair.left.ports[0].isUp = true;
        pair.left.ports[0].loses = packet -> true;
        pair.left.postWrite(stream, 0, 0, PAYLOAD, pair.right);

        runLeftAlone(pair, 10_000);

        assertThat(pair.left.events).contains("lost " + LanePair.LEFT_ID + " timeout");
        assertThat(statuses(stream)).hasSize(1).doesNotContain(CompletionStatus.SUCCESS);
    }

    /** Seed 3259: the peer announced a refusal in its acknowledgement and died before it could say which. */
    @Test
    void aRefusalThatIsAnnouncedAndNeverComesEndsTheConnection() {
        LanePair pair = new LanePair(1, LaneSettings.SIMULATED);
        pair.connect(1);
        StreamSpec stream = pair.openStream(STREAM);
        pair.right.lane.control().removeMemory(pair.right.nextCorrelation(), pair.right.key);
        pair.turns(2);
        int first = pair.right.ports[0].transmitted;
        pair.right.ports[0].loses = packet -> packet > first;
        pair.left.postWrite(stream, 0, 0, PAYLOAD, pair.right);
        pair.turns(4);

        runLeftAlone(pair, 10_000);

        assertThat(pair.left.events).contains("lost " + LanePair.LEFT_ID + " timeout");
        assertThat(statuses(stream)).hasSize(1).doesNotContain(CompletionStatus.SUCCESS);
    }

    /** Ten seconds in milliseconds, in which the right lane is not called. */
    private static void runLeftAlone(LanePair pair, int turns) {
        for (int turn = 0; turn < turns; turn++) {
            pair.nowNs += 1_000_000;
            pair.left.lane.doWork(pair.nowNs);
            pair.left.takeEvents();
        }
    }

    private static List<CompletionStatus> statuses(StreamSpec stream) {
        List<CompletionStatus> statuses = new ArrayList<>();
        CompletionSlot completion = new CompletionSlot();
        while (stream.sendCompletions().available() > 0) {
            stream.sendCompletions().peek(completion);
            statuses.add(completion.status());
            stream.sendCompletions().release();
        }
        return statuses;
    }
}
