// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All samples, their medians and spread, and the ratios of ours to others'. */
final class PeersReport {
    static final String OURS_LARGE = "ours_udp_1M";
    /** The same bytes as {@link Loop#RAW_CHANNEL} moves: payloads of its size, and like there nobody looks at them. */
    static final String OURS_4096 = "ours_udp_1M_mtu_4096";

    static final String OURS_RATE = "ours_udp_64";
    static final String OURS_LATENCY = "ours_udp_64_latency";
    static final String OURS_KEPT = "ours_veth_1M_loss";

    private final Map<Peer, List<Sample>> samples = new LinkedHashMap<>();
    private final Map<String, String> skipped = new LinkedHashMap<>();

    void add(Peer peer, Sample sample) {
        samples.computeIfAbsent(peer, any -> new ArrayList<>()).add(sample);
    }

    void skip(String row, String reason) {
        skipped.put(row, reason);
    }

    private static double[] sorted(List<Sample> of, ToDoubleFunction<Sample> value) {
        return of.stream()
                .mapToDouble(value)
                .filter(each -> !Double.isNaN(each))
                .sorted()
                .toArray();
    }

    private static double median(List<Sample> of, ToDoubleFunction<Sample> value) {
        double[] all = sorted(of, value);
        return all.length == 0 ? Double.NaN : all[all.length / 2];
    }

    private double median(String row, ToDoubleFunction<Sample> value) {
        for (Map.Entry<Peer, List<Sample>> entry : samples.entrySet()) {
            if (entry.getKey().row().equals(row)) {
                return median(entry.getValue(), value);
            }
        }
        return Double.NaN;
    }

    /** Ratios by name; those whose parts were not measured are absent. */
    Map<String, Double> ratios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        double ours = median(OURS_LARGE, Sample::goodputGBps);
        for (String peer : new String[] {
            "raw_gso8", "raw_channel", "aeron_4096", "aeron_8192", "rxd", "rxm", "ucx_tcp", "tcp_cubic", "tcp_bbr"
        }) {
            put(ratios, "ours_udp_1M_vs_" + peer, ours / median(peer, Sample::goodputGBps));
        }
        put(
                ratios,
                "ours_udp_1M_mtu_4096_vs_raw_channel",
                median(OURS_4096, Sample::goodputGBps) / median("raw_channel", Sample::goodputGBps));
        put(
                ratios,
                "ours_udp_64_vs_ucx_tcp",
                median(OURS_RATE, Sample::messagesPerSecond) / median("ucx_tcp_64", Sample::messagesPerSecond));
        put(
                ratios,
                "ours_udp_64_p50_vs_ping_pong",
                median(OURS_LATENCY, Sample::p50us) / median("ping_pong", Sample::p50us));
        double clean = median(OURS_KEPT + "0", Sample::goodputGBps);
        put(ratios, "kept_loss01", median(OURS_KEPT + "01", Sample::goodputGBps) / clean);
        put(ratios, "kept_loss1", median(OURS_KEPT + "1", Sample::goodputGBps) / clean);
        put(ratios, "kept_loss10", median(OURS_KEPT + "10", Sample::goodputGBps) / clean);
        return ratios;
    }

    private static void put(Map<String, Double> ratios, String name, double value) {
        if (!Double.isNaN(value) && !Double.isInfinite(value)) {
            ratios.put(name, value);
        }
    }

    void print(PrintWriter out) {
        out.printf(
                "%-22s %-9s %8s %6s  %-27s %-11s %9s %9s%n",
                "peer", "port", "bytes", "loss%", "GB/s [min-max]", "messages/s", "p50 us", "p99 us");
        samples.forEach((peer, all) -> {
            double[] goodputs = sorted(all, Sample::goodputGBps);
            String goodput = goodputs.length == 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "%.3f [%.3f-%.3f]",
                            goodputs[goodputs.length / 2],
                            goodputs[0],
                            goodputs[goodputs.length - 1]);
            out.printf(
                    Locale.ROOT,
                    "%-22s %-9s %8d %6.1f  %-27s %-11s %9s %9s%n",
                    peer.row(),
                    peer.port(),
                    peer.messageBytes(),
                    peer.lossPercent(),
                    goodput,
                    text("%.0f", median(all, Sample::messagesPerSecond)),
                    text("%.1f", median(all, Sample::p50us)),
                    text("%.1f", median(all, Sample::p99us)));
        });
        out.println();
        ratios().forEach((name, value) -> out.printf(Locale.ROOT, "%-34s %.3f%n", name, value));
        skipped.forEach((row, reason) -> out.println("skipped " + row + ": " + reason));
        out.flush();
    }

    private static String text(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }

    ObjectNode json() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode rows = document.putArray("rows");
        samples.forEach((peer, all) -> {
            double[] goodputs = sorted(all, Sample::goodputGBps);
            ObjectNode row = rows.addObject()
                    .put("peer", peer.row())
                    .put("port", peer.port())
                    .put("size", peer.messageBytes())
                    .put("lossPct", peer.lossPercent())
                    .put("runs", all.size());
            number(row, "goodputGBps", median(all, Sample::goodputGBps));
            number(row, "goodputGBpsMin", goodputs.length == 0 ? Double.NaN : goodputs[0]);
            number(row, "goodputGBpsMax", goodputs.length == 0 ? Double.NaN : goodputs[goodputs.length - 1]);
            number(row, "msgPerSec", median(all, Sample::messagesPerSecond));
            number(row, "p50us", median(all, Sample::p50us));
            number(row, "p99us", median(all, Sample::p99us));
        });
        ObjectNode ratios = document.putObject("ratios");
        ratios().forEach(ratios::put);
        ObjectNode reasons = document.putObject("skipped");
        skipped.forEach(reasons::put);
        return document;
    }

    private static void number(ObjectNode row, String name, double value) {
        if (Double.isNaN(value)) {
            row.putNull(name);
        } else {
            row.put(name, value);
        }
    }
}
