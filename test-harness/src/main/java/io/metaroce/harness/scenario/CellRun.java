// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.harness.baseline.RocePairs;
import io.metaroce.harness.baseline.RoceSettings;
import io.metaroce.harness.fabric.Fabric;
import io.metaroce.harness.fabric.Host;
import io.metaroce.harness.fabric.Link;
import io.metaroce.harness.fabric.MopPairs;
import io.metaroce.harness.fabric.PacketPool;
import io.metaroce.harness.fabric.Switch;
import io.metaroce.harness.fabric.Transports;
import io.metaroce.harness.sim.SeededRandom;
import io.metaroce.transport.congestion.AimdCongestion;
import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.congestion.CongestionSettings;
import io.metaroce.transport.congestion.FixedWindow;
import io.metaroce.transport.congestion.InboundShares;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds one cell, runs it to its end, measures. One thread; shares nothing with other cells. */
final class CellRun {
    private static final int PACKETS_MAX = 1 << 23;
    private static final int FLOWS_SAMPLED_MAX = 256;
    private static final long PS_PER_US = 1_000_000;
    private static final long PS_PER_NS = 1_000;
    private static final double FULL_WINDOW = 1.25;
    private static final long TIMEOUT_FLOOR_NS = 100_000;
    /** 4.096 us times 2^5, the order of what adapters allow at least. */
    private static final long ROCE_TIMEOUT_NS = 131_072;

    private static final int MESSAGE_WINDOW = 64;
    private static final int ROUND_TRIP_LOOKS = 4;
    private static final double SETTLED = 0.1;

    private final String cell;
    private final Settings settings;
    private final long seed;
    private final Runnable progress;

    CellRun(String cell, Settings settings, long seed, Runnable progress) {
        this.cell = cell;
        this.settings = settings;
        this.seed = seed;
        this.progress = progress;
    }

    CellResult run() {
        try (Fabric fabric = new Fabric(seed, PACKETS_MAX, PacketPool.HEADERS_ONLY)) {
            FabricPlan plan = new FabricPlan(settings, fabric);
            plan.build();
            Transports transports = transports(fabric, plan);
            Mesh[] mesh = new Mesh[1];
            Workload workload = Workloads.of(
                    settings, fabric.hosts().size(), new SeededRandom(fabric.seedOf(0x9_0000_0000L)), () -> mesh[0]);
            mesh[0] = new Mesh(fabric, transports, stopping(fabric, workload));
            workload.pairs().forEach(pair -> mesh[0].connect(pair[0], pair[1]));
            long startPs = Fabric.START_PS + Math.round(settings.number(Parameter.WARM_UP_US) * PS_PER_US);
            fabric.run(startPs, progress);
            long hopsBefore = fabric.hops();
            @Nullable Sampler sampler = sampler(fabric, transports, plan, workload, mesh[0]);
            workload.start(startPs / PS_PER_NS);
            long limitPs = startPs + Math.round(settings.number(Parameter.LIMIT_US) * PS_PER_US);
            fabric.run(limitPs, progress);
            Map<String, Double> measures = new LinkedHashMap<>();
            measure(measures, fabric, transports, workload, startPs);
            if (sampler != null) {
                measure(measures, sampler, plan, workload);
            }
            measures.put("failures", (double) mesh[0].failures().size());
            long digest = digest(fabric, workload, measures);
            return new CellResult(
                    cell,
                    seed,
                    measures,
                    List.copyOf(mesh[0].failures()),
                    digest,
                    fabric.hops() - hopsBefore,
                    series(workload, sampler, startPs));
        }
    }

    /** The run ends with the last message. */
    private static Mesh.Ranks stopping(Fabric fabric, Workload workload) {
        return new Mesh.Ranks() {
            @Override
            public void onSent(int from, int to, int tag, long nowNs) {
                workload.onSent(from, to, tag, nowNs);
                stopIfDone();
            }

            @Override
            public void onReceived(int from, int to, int tag, long nowNs) {
                workload.onReceived(from, to, tag, nowNs);
                stopIfDone();
            }

            private void stopIfDone() {
                if (workload.isDone()) {
                    fabric.stop();
                }
            }
        };
    }

    private Transports transports(Fabric fabric, FabricPlan plan) {
        if (settings.is(Parameter.TRANSPORT, "roce")) {
            return roce(fabric, plan);
        }
        int paths = settings.whole(Parameter.PATHS);
        long packetBytes = FabricPlan.packetBytes(settings);
        double windowPackets = settings.number(Parameter.FIXED_WINDOW_PACKETS);
        double initialPackets = settings.number(Parameter.INITIAL_WINDOW_PACKETS);
        double filling = FULL_WINDOW * plan.fillingPackets();
        long perPathBytes =
                Math.round(Math.max(1, (windowPackets > 0 ? windowPackets : filling) / paths) * packetBytes);
        MopPairs.Profile profile = new MopPairs.Profile(
                paths,
                settings.whole(Parameter.PAYLOAD_BYTES),
                MESSAGE_WINDOW,
                settings.whole(Parameter.WINDOW_PACKETS),
                Math.round((initialPackets > 0 ? initialPackets : filling) * packetBytes),
                TIMEOUT_FLOOR_NS);
        return new MopPairs(fabric, profile, host -> congestion(host, perPathBytes));
    }

    /** A host's connections share one calculator of hints. */
    private CongestionControlFactory congestion(Host host, long perPathBytes) {
        String kind = settings.word(Parameter.CONGESTION);
        if (kind.equals("fixed")) {
            return (bytes, initial, limit) -> new FixedWindow(perPathBytes);
        }
        int rateMbps = (int) Math.round(settings.number(Parameter.RATE_GBPS) * 1e3);
        List<Integer> rates = Collections.nCopies(host.uplinks().size(), rateMbps);
        CongestionSettings simulated = CongestionSettings.simulated(rates, settings.whole(Parameter.INCAST_DEGREE));
        InboundShares shares = kind.equals("aimd-no-hints")
                ? InboundShares.NONE
                : new InboundShares(rates, simulated.hintPeriodNs(), simulated.noiseNs());
        return new AimdCongestion(simulated, shares);
    }

    /** A window of four times what fills the way, as adapters have: the rate governs, not the window. */
    private Transports roce(Fabric fabric, FabricPlan plan) {
        return new RocePairs(
                fabric,
                new RoceSettings(
                        settings.whole(Parameter.PAYLOAD_BYTES),
                        (int) Math.max(64, 4 * plan.fillingPackets()),
                        settings.number(Parameter.RATE_GBPS) * 1e9,
                        Math.max(ROCE_TIMEOUT_NS, 4 * plan.roundTripPs() / PS_PER_NS)));
    }

    private @Nullable Sampler sampler(
            Fabric fabric, Transports transports, FabricPlan plan, Workload workload, Mesh mesh) {
        List<int[]> pairs = workload.pairs();
        if (pairs.size() > FLOWS_SAMPLED_MAX) {
            return null;
        }
        Host receiver = fabric.hosts().get(pairs.get(0)[1]);
        Switch last = (Switch) receiver.uplinks().get(0).to();
        Link toReceiver = last.links().stream()
                .filter(link -> link.to() == receiver)
                .findFirst()
                .orElseThrow();
        Sampler sampler = new Sampler(fabric, transports, plan.roundTripPs(), toReceiver);
        pairs.forEach(pair -> sampler.watch(mesh.endpoint(pair[0], pair[1]), mesh.endpoint(pair[1], pair[0])));
        sampler.start();
        return sampler;
    }

    private void measure(
            Map<String, Double> measures, Fabric fabric, Transports transports, Workload workload, long startPs) {
        double seconds = (fabric.nowPs() - startPs) / 1e12;
        List<int[]> pairs = workload.pairs();
        long senders = pairs.stream().mapToInt(pair -> pair[0]).distinct().count();
        long receivers = pairs.stream().mapToInt(pair -> pair[1]).distinct().count();
        double gigabits = workload.completedBytes() * 8.0 / seconds / 1e9;
        double capacity =
                settings.number(Parameter.RATE_GBPS) * settings.whole(Parameter.PLANES) * Math.min(senders, receivers);
        long[] durations = sortedDurations(workload);
        double first = Math.max(1, transports.firstSent());
        measures.put("done", workload.isDone() ? 1.0 : 0.0);
        measures.put("time_us", seconds * 1e6);
        measures.put("gbps", gigabits);
        measures.put("goodput", gigabits / capacity);
        measures.put("fct_us_mean", Measures.mean(durations) / 1e3);
        measures.put("fct_us_p50", Measures.percentile(durations, 0.5) / 1e3);
        measures.put("fct_us_p99", Measures.percentile(durations, 0.99) / 1e3);
        measures.put("fct_us_max", Measures.percentile(durations, 1) / 1e3);
        measures.put("packets", (double) transports.firstSent());
        measures.put("retransmissions", (double) transports.retransmitted());
        measures.put("retransmitted_ratio", transports.retransmitted() / first);
        measures.put("spurious_ratio", transports.spurious() / first);
        measures.put("timeouts", (double) transports.timeouts());
        measures.put("drops", (double) sum(fabric, link -> link.counters().drops()));
        measures.put("lost", (double) sum(fabric, link -> link.counters().lost()));
        measures.put("marks", (double) sum(fabric, link -> link.counters().marks()));
        measures.put("pauses", (double) sum(fabric, link -> link.counters().pauses()));
        measures.put("queue_bytes_max", (double) fabric.links().stream()
                .filter(Link::isFromSwitch)
                .mapToLong(link -> link.counters().queuedBytesMax())
                .max()
                .orElse(0));
    }

    private void measure(Map<String, Double> measures, Sampler sampler, FabricPlan plan, Workload workload) {
        double rate = settings.number(Parameter.RATE_GBPS) * 1e9;
        double bdpBytes = plan.roundTripPs() / 1e12 * rate / 8;
        long flowBytes = Math.round(settings.number(Parameter.MESSAGE_BYTES)) * settings.whole(Parameter.MESSAGES);
        int first = Measures.firstArrival(sampler);
        int last = Measures.lastBusy(sampler, flowBytes);
        int flows = workload.pairs().size();
        int settled = Measures.settled(sampler, last, rate / flows, SETTLED);
        measures.put("settle_rtt", Math.max(0, settled - first) / (double) ROUND_TRIP_LOOKS);
        measures.put("jain", Measures.jain(sampler, Math.min(last, after(first, 5)), last));
        measures.put("link_used", Measures.used(sampler, Math.min(last, after(first, 5)), last, rate));
        measures.put("queue_bdp_2rtt", Measures.queueMost(sampler, after(first, 2), last) / bdpBytes);
        measures.put("queue_bdp_10rtt", Measures.queueMost(sampler, after(first, 10), last) / bdpBytes);
        double queueSeconds = Measures.queueMost(sampler, after(first, 10), last) * 8 / rate;
        measures.put("queue_rtt", queueSeconds * 1e12 / plan.roundTripPs());
    }

    private static int after(int look, int roundTrips) {
        return look + roundTrips * ROUND_TRIP_LOOKS;
    }

    private static long sum(Fabric fabric, java.util.function.ToLongFunction<Link> what) {
        return fabric.links().stream().mapToLong(what).sum();
    }

    private static long[] sortedDurations(Workload workload) {
        long[] durations =
                workload.durationsNs().stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(durations);
        return durations;
    }

    private static long digest(Fabric fabric, Workload workload, Map<String, Double> measures) {
        long digest = fabric.nowPs() * 31 + fabric.hops();
        for (long duration : workload.durationsNs()) {
            digest = digest * 0x9E37_79B9_7F4A_7C15L + duration;
        }
        for (double value : measures.values()) {
            digest = digest * 0x9E37_79B9_7F4A_7C15L + Double.doubleToLongBits(value);
        }
        return digest;
    }

    private static CellResult.Series series(Workload workload, @Nullable Sampler sampler, long startPs) {
        double[] durations = Arrays.stream(sortedDurations(workload))
                .mapToDouble(ns -> ns / 1e3)
                .toArray();
        int looks = sampler == null ? 0 : sampler.timesPs.size();
        double[] times = new double[looks];
        double[] queue = new double[looks];
        double[] rate = new double[looks];
        for (int i = 0; i < looks && sampler != null; i++) {
            times[i] = (sampler.timesPs.getLong(i) - startPs) / 1e6;
            queue[i] = sampler.queuedBytes.getLong(i);
            if (i > 0) {
                double bits = 8.0 * (sampler.sentBytes.getLong(i) - sampler.sentBytes.getLong(i - 1));
                rate[i] = bits / (sampler.timesPs.getLong(i) - sampler.timesPs.getLong(i - 1)) * 1e3;
            }
        }
        return new CellResult.Series(durations, times, queue, rate);
    }
}
