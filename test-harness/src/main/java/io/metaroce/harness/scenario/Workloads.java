// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.harness.sim.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** The workloads by their names. */
final class Workloads {
    /** Storage answers of 4 KiB to 4 MiB, in powers of two. */
    private static final int STORAGE_SIZES = 11;

    private static final int STORAGE_SMALLEST = 4_096;

    private Workloads() {}

    static Workload of(Settings settings, int hosts, SeededRandom random, Supplier<Mesh> mesh) {
        long bytes = (long) settings.number(Parameter.MESSAGE_BYTES);
        int messages = settings.whole(Parameter.MESSAGES);
        return switch (settings.word(Parameter.WORKLOAD)) {
            case "permutation" -> closed(settings, permutation(hosts, random), mesh);
            case "incast" -> closed(settings, fan(hosts, true), mesh);
            case "outcast" -> closed(settings, fan(hosts, false), mesh);
            case "all-to-all" -> closed(settings, allToAll(hosts), mesh);
            case "ring-all-reduce" ->
                new StepwiseCollective(mesh, StepwiseCollective.ring(hosts, bytes), hosts, messages, bytes);
            case "halving-doubling" ->
                new StepwiseCollective(
                        mesh, StepwiseCollective.halvingDoubling(powerOfTwo(hosts), bytes), hosts, messages, bytes);
            case "storage" -> storage(settings, fan(hosts, true), random, mesh);
            case "pair" -> closed(settings, List.of(new int[] {0, hosts - 1}), mesh);
            default -> throw new ScenarioException("workload " + settings.word(Parameter.WORKLOAD) + " needs a file");
        };
    }

    private static int powerOfTwo(int hosts) {
        if (Integer.bitCount(hosts) != 1) {
            throw new ScenarioException("halving-doubling needs a power of two of hosts, not " + hosts);
        }
        return hosts;
    }

    private static Workload closed(Settings settings, List<int[]> pairs, Supplier<Mesh> mesh) {
        long bytes = (long) settings.number(Parameter.MESSAGE_BYTES);
        boolean isShared = settings.is(Parameter.WORKLOAD, "all-to-all");
        long[] sizes = new long[pairs.size()];
        // nccl-tests count an all-to-all by what each rank sends in all.
        Arrays.fill(sizes, isShared ? Math.max(1, bytes / hostsOf(pairs)) : bytes);
        return new ClosedLoop(mesh, pairs, sizes, settings.whole(Parameter.MESSAGES), settings.whole(Parameter.DEPTH));
    }

    private static long hostsOf(List<int[]> pairs) {
        return pairs.stream().mapToInt(pair -> pair[0]).distinct().count();
    }

    private static Workload storage(Settings settings, List<int[]> pairs, SeededRandom random, Supplier<Mesh> mesh) {
        long[] sizes = new long[pairs.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = (long) STORAGE_SMALLEST << random.below(STORAGE_SIZES);
        }
        return new ClosedLoop(mesh, pairs, sizes, settings.whole(Parameter.MESSAGES), settings.whole(Parameter.DEPTH));
    }

    /** Everybody sends to one other and receives from one other, never itself (Sattolo's shuffle: one cycle). */
    static List<int[]> permutation(int hosts, SeededRandom random) {
        int[] order = new int[hosts];
        for (int i = 0; i < hosts; i++) {
            order[i] = i;
        }
        for (int i = hosts - 1; i > 0; i--) {
            int other = random.below(i);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        List<int[]> pairs = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            pairs.add(new int[] {i, order[i]});
        }
        return pairs;
    }

    /** Everybody to host 0, or host 0 to everybody. */
    private static List<int[]> fan(int hosts, boolean isIn) {
        List<int[]> pairs = new ArrayList<>();
        for (int i = 1; i < hosts; i++) {
            pairs.add(isIn ? new int[] {i, 0} : new int[] {0, i});
        }
        return pairs;
    }

    /** Each rank begins with its right neighbour, as libraries do, so that not all begin with the same. */
    private static List<int[]> allToAll(int hosts) {
        List<int[]> pairs = new ArrayList<>();
        for (int distance = 1; distance < hosts; distance++) {
            for (int i = 0; i < hosts; i++) {
                pairs.add(new int[] {i, (i + distance) % hosts});
            }
        }
        return pairs;
    }
}
