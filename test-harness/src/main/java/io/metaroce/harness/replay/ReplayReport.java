// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.harness.decode.AddressText;
import io.metaroce.link.LinkResult;
import io.metaroce.wire.ParseResult;
import java.util.Locale;

/** What was found, as one tree from which every form of output is made. */
final class ReplayReport {
    private static final double MICRO = 1e3;

    private ReplayReport() {}

    static ObjectNode of(CaptureScan scan) {
        ObjectNode report = JsonNodeFactory.instance.objectNode();
        ObjectNode capture = report.putObject("capture");
        capture.put("format", scan.format());
        capture.put("interfaces", scan.interfaces());
        capture.put("packets", scan.packets);
        capture.put("mop", scan.mop);
        capture.put("seconds", (scan.lastNs - scan.firstNs) / 1e9);
        capture.put("wrongChecksums", scan.parseResults[ParseResult.BAD_CHECKSUM.ordinal()]);
        capture.put("cut", scan.cut);
        capture.put("otherUdp", scan.notMop);
        ObjectNode dropped = capture.putObject("otherFrames");
        for (LinkResult result : LinkResult.values()) {
            long count = scan.linkResults[result.ordinal()];
            if (count > 0 && result != LinkResult.OK && result != LinkResult.PAYLOAD_TRUNCATED) {
                dropped.put(result.name().toLowerCase(Locale.ROOT), count);
            }
        }
        ArrayNode connections = report.putArray("connections");
        scan.judge.flows.flows().forEach(flow -> flow(connections.addObject(), flow));
        violations(report.putArray("violations"), scan.judge.findings);
        events(report, scan);
        ArrayNode warnings = report.putArray("warnings");
        scan.warnings().forEach(warnings::add);
        ObjectNode goodput = report.putObject("goodput");
        goodput.put("stepNs", scan.judge.goodput.stepNs());
        ArrayNode bytes = goodput.putArray("bytes");
        for (long step : scan.judge.goodput.bytes()) {
            bytes.add(step);
        }
        report.set("sums", sums(scan));
        return report;
    }

    private static ObjectNode sums(CaptureScan scan) {
        ObjectNode sums = JsonNodeFactory.instance.objectNode();
        long again = 0;
        long needed = 0;
        long spurious = 0;
        long late = 0;
        long unproven = 0;
        long copies = 0;
        for (Flow flow : scan.judge.flows.flows()) {
            for (PathTrace path : flow.paths()) {
                again += path.again;
                needed += path.needed;
                spurious += path.spurious;
                late += path.late;
                unproven += path.unproven;
                copies += path.copies;
            }
        }
        return sums.put("packets", scan.packets)
                .put("mop", scan.mop)
                .put("connections", scan.judge.flows.flows().size())
                .put("retransmitted", again)
                .put("needed", needed)
                .put("spurious", spurious)
                .put("late", late)
                .put("unproven", unproven)
                .put("copies", copies)
                .put("violations", scan.judge.findings.total())
                .put("events", scan.judge.findings.eventCount())
                .put("warnings", scan.warnings().size());
    }

    private static void flow(ObjectNode node, Flow flow) {
        node.put("id", CaptureJudge.name(flow));
        node.put("source", AddressText.of(flow.sourceHigh, flow.sourceLow));
        node.put("destination", AddressText.of(flow.destinationHigh, flow.destinationLow));
        if (flow.peer != null) {
            node.put("peer", CaptureJudge.name(flow.peer));
        }
        double seconds = Math.max(1, flow.lastNs - flow.firstNs) / 1e9;
        node.put("packets", flow.packets);
        node.put("messages", flow.messages);
        node.put("payloadBytes", flow.payloadBytes);
        node.put("goodputMbps", flow.payloadBytes * 8 / seconds / 1e6);
        if (flow.hint >= 0) {
            node.put("hintMbps", flow.hint);
        }
        ObjectNode errors = node.putObject("errors");
        flow.errors().forEach((syndrome, count) -> errors.put(syndrome.name(), count));
        ArrayNode paths = node.putArray("paths");
        flow.paths().forEach(path -> path(paths.addObject(), path));
    }

    private static void path(ObjectNode node, PathTrace path) {
        node.put("path", path.id);
        node.put("epoch", path.epoch);
        node.put("epochs", path.epochs);
        node.put("sourcePort", path.sourcePort);
        node.put("packets", path.packets);
        node.put("probes", path.probes);
        node.put("acknowledgements", path.acknowledgements);
        node.put("retransmitted", path.again);
        node.put("needed", path.needed);
        node.put("spurious", path.spurious);
        node.put("late", path.late);
        node.put("unproven", path.unproven);
        node.put("lostBehindTheTap", path.lostBehind);
        node.put("lostBeforeTheTap", path.lostBefore);
        node.put("neverSeen", path.missing);
        node.put("copies", path.copies);
        node.put("reordered", path.reordered);
        node.put("marked", path.marked);
        node.put("movedAway", path.movedAway);
        node.put("rttSamples", path.roundTrips.count());
        node.put("rttMinUs", path.roundTrips.leastNs() / MICRO);
        node.put("rttMedianUs", path.roundTrips.quantileNs(0.5) / MICRO);
        node.put("rtt99Us", path.roundTrips.quantileNs(0.99) / MICRO);
    }

    private static void violations(ArrayNode array, Findings findings) {
        for (Judged judged : Judged.values()) {
            if (findings.count(judged) > 0) {
                ObjectNode node = array.addObject();
                node.put("rule", judged.rule());
                node.put("words", judged.words());
                node.put("count", findings.count(judged));
                ArrayNode frames = node.putArray("frames");
                findings.frames(judged).forEach(frames::add);
            }
        }
    }

    private static void events(ObjectNode report, CaptureScan scan) {
        ArrayNode events = report.putArray("events");
        for (Findings.Event event : scan.judge.findings.events()) {
            ObjectNode node = events.addObject();
            node.put("frame", event.frame());
            node.put("seconds", (event.timeNs() - scan.firstNs) / 1e9);
            node.put("words", event.words());
        }
    }
}
