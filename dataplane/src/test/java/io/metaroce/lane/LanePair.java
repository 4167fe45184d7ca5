// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounters;
import java.util.function.BooleanSupplier;

/** Two lanes joined in memory, on virtual time that passes by one step a turn. */
final class LanePair {
    static final int LEFT_ID = 0x1111_1111;
    static final int RIGHT_ID = 0x2222_2222;
    private static final int BUFFERS = 4_096;
    private static final int TURNS_MAX = 2_000_000;

    final LaneHost left;
    final LaneHost right;
    long nowNs = 1_000_000_000L;
    long stepNs = 1_000;

    LanePair(int planes, LaneSettings settings) {
        JoinedPort[] leftPorts = new JoinedPort[planes];
        JoinedPort[] rightPorts = new JoinedPort[planes];
        for (int plane = 0; plane < planes; plane++) {
            JoinedPort[] ends = JoinedPort.pair(plane, BUFFERS);
            leftPorts[plane] = ends[0];
            rightPorts[plane] = ends[1];
        }
        left = new LaneHost(settings, leftPorts, 5);
        right = new LaneHost(settings, rightPorts, 6);
    }

    /** A connection between the two, ready for data; the counters are the left end's. */
    ConnectionCounters connect(int paths) {
        ConnectionCounters counters = left.add(left.spec(LEFT_ID, RIGHT_ID, right, paths));
        right.add(right.spec(RIGHT_ID, LEFT_ID, left, paths));
        runUntil(() -> left.readyConnections.contains(LEFT_ID) && right.readyConnections.contains(RIGHT_ID));
        return counters;
    }

    StreamSpec openStream(int streamId) {
        StreamSpec stream = left.stream(streamId);
        assertThat(left.lane.control().openStream(left.nextCorrelation(), LEFT_ID, stream))
                .isTrue();
        assertThat(right.lane.control().openStream(right.nextCorrelation(), RIGHT_ID, right.stream(streamId)))
                .isTrue();
        turn();
        return stream;
    }

    /** Lets time pass by one step and gives both lanes a cycle. */
    int turn() {
        nowNs += stepNs;
        return left.lane.doWork(nowNs) + right.lane.doWork(nowNs);
    }

    void turns(int count) {
        for (int i = 0; i < count; i++) {
            turn();
        }
    }

    void runUntil(BooleanSupplier isDone) {
        for (int i = 0; i < TURNS_MAX; i++) {
            turn();
            left.takeEvents();
            right.takeEvents();
            if (isDone.getAsBoolean()) {
                return;
            }
        }
        assertThat(false)
                .as("done within %d turns; left %s, right %s", TURNS_MAX, left.events, right.events)
                .isTrue();
    }
}
