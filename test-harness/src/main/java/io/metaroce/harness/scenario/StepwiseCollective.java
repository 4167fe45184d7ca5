// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * All-reduce as collective libraries do it: in each step a rank sends to one peer, and goes on when its own message of the
 * step has arrived. A run repeats it so many times, one after the other.
 */
final class StepwiseCollective implements Workload {
    /** Who sends what in which step. */
    interface Algorithm {
        int steps();

        int target(int rank, int step);

        long bytes(int step);
    }

    private final Supplier<Mesh> mesh;
    private final Algorithm algorithm;
    private final int ranks;
    private final int repetitions;
    private final long bytes;
    /** Step that each rank waits to finish, over all repetitions, and what has arrived for it so far. */
    private final int[] step;

    private final boolean[][] hasArrived;
    private final List<Long> durationsNs = new ArrayList<>();
    private int repetition;
    private int finished;
    private long startedNs;

    StepwiseCollective(Supplier<Mesh> mesh, Algorithm algorithm, int ranks, int repetitions, long bytes) {
        this.mesh = mesh;
        this.algorithm = algorithm;
        this.ranks = ranks;
        this.repetitions = repetitions;
        this.bytes = bytes;
        this.step = new int[ranks];
        this.hasArrived = new boolean[ranks][algorithm.steps()];
    }

    /** Bandwidth-optimal ring: reduce-scatter, then all-gather, each of n - 1 steps of a chunk of M / n. */
    static Algorithm ring(int ranks, long bytes) {
        return new Algorithm() {
            @Override
            public int steps() {
                return 2 * (ranks - 1);
            }

            @Override
            public int target(int rank, int step) {
                return (rank + 1) % ranks;
            }

            @Override
            public long bytes(int step) {
                return Math.max(1, bytes / ranks);
            }
        };
    }

    /** Recursive halving, then doubling (Rabenseifner): M/2, M/4 ... M/n, and back. Ranks are a power of two. */
    static Algorithm halvingDoubling(int ranks, long bytes) {
        int rounds = Integer.numberOfTrailingZeros(ranks);
        return new Algorithm() {
            @Override
            public int steps() {
                return 2 * rounds;
            }

            @Override
            public int target(int rank, int step) {
                return rank ^ 1 << bit(step);
            }

            @Override
            public long bytes(int step) {
                int halvings = step < rounds ? step + 1 : 2 * rounds - step;
                return Math.max(1, bytes >> halvings);
            }

            private int bit(int step) {
                return step < rounds ? rounds - 1 - step : step - rounds;
            }
        };
    }

    @Override
    public List<int[]> pairs() {
        List<int[]> pairs = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            for (int s = 0; s < algorithm.steps(); s++) {
                int[] pair = {rank, algorithm.target(rank, s)};
                if (pairs.stream().noneMatch(known -> known[0] == pair[0] && known[1] == pair[1])) {
                    pairs.add(pair);
                }
            }
        }
        return pairs;
    }

    @Override
    public void start(long nowNs) {
        startedNs = nowNs;
        finished = 0;
        for (int rank = 0; rank < ranks; rank++) {
            step[rank] = 0;
            java.util.Arrays.fill(hasArrived[rank], false);
        }
        for (int rank = 0; rank < ranks; rank++) {
            send(rank, 0);
        }
    }

    @Override
    public boolean isDone() {
        return repetition == repetitions;
    }

    /** As nccl-tests count: the size of the buffer, once for each repetition. */
    @Override
    public long completedBytes() {
        return repetition * bytes;
    }

    @Override
    public List<Long> durationsNs() {
        return durationsNs;
    }

    @Override
    public void onSent(int from, int to, int tag, long nowNs) {
        // A step ends when its message arrives, not when ours is acknowledged.
    }

    @Override
    public void onReceived(int from, int to, int tag, long nowNs) {
        hasArrived[to][tag] = true;
        while (step[to] < algorithm.steps() && hasArrived[to][step[to]]) {
            step[to]++;
            if (step[to] < algorithm.steps()) {
                send(to, step[to]);
            } else if (++finished == ranks) {
                durationsNs.add(nowNs - startedNs);
                if (++repetition < repetitions) {
                    start(nowNs);
                    return;
                }
            }
        }
    }

    private void send(int rank, int atStep) {
        mesh.get().post(rank, algorithm.target(rank, atStep), algorithm.bytes(atStep), atStep, true);
    }
}
