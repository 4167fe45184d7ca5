// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Pairs that each keep so many messages in progress until so many are sent. */
final class ClosedLoop implements Workload {
    private final Supplier<Mesh> mesh;
    private final List<int[]> pairs;
    private final long[] bytesOfPair;
    private final int messages;
    private final int depth;
    private final Map<Long, Flow> flows = new LinkedHashMap<>();
    private final List<Long> durationsNs = new ArrayList<>();
    private long completedBytes;
    private int openFlows;

    private static final class Flow {
        private final long bytes;
        private final ArrayDeque<Long> startsNs = new ArrayDeque<>();
        private int posted;
        private int completed;

        Flow(long bytes) {
            this.bytes = bytes;
        }
    }

    ClosedLoop(Supplier<Mesh> mesh, List<int[]> pairs, long[] bytesOfPair, int messages, int depth) {
        this.mesh = mesh;
        this.pairs = pairs;
        this.bytesOfPair = bytesOfPair;
        this.messages = messages;
        this.depth = depth;
    }

    @Override
    public List<int[]> pairs() {
        return pairs;
    }

    @Override
    public void start(long nowNs) {
        for (int i = 0; i < pairs.size(); i++) {
            int[] pair = pairs.get(i);
            Flow flow = new Flow(bytesOfPair[i]);
            flows.put(key(pair[0], pair[1]), flow);
            openFlows++;
            for (int d = 0; d < depth && d < messages; d++) {
                post(pair[0], pair[1], flow, nowNs);
            }
        }
    }

    @Override
    public boolean isDone() {
        return openFlows == 0;
    }

    @Override
    public long completedBytes() {
        return completedBytes;
    }

    @Override
    public List<Long> durationsNs() {
        return durationsNs;
    }

    @Override
    public void onSent(int from, int to, int tag, long nowNs) {
        @Nullable Flow flow = flows.get(key(from, to));
        if (flow == null) {
            return;
        }
        durationsNs.add(nowNs - flow.startsNs.removeFirst());
        completedBytes += flow.bytes;
        if (++flow.completed == messages) {
            openFlows--;
        } else if (flow.posted < messages) {
            post(from, to, flow, nowNs);
        }
    }

    @Override
    public void onReceived(int from, int to, int tag, long nowNs) {
        // Senders alone drive this.
    }

    private void post(int from, int to, Flow flow, long nowNs) {
        flow.startsNs.addLast(nowNs);
        mesh.get().post(from, to, flow.bytes, flow.posted++, false);
    }

    private static long key(int from, int to) {
        return (long) from << 32 | to;
    }
}
