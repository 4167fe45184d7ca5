// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.harness.decode.PortRange;
import io.metaroce.link.LinkParser;
import io.metaroce.link.LinkResult;
import io.metaroce.link.LinkType;
import io.metaroce.link.LinkView;
import io.metaroce.pcap.CaptureProblem;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.PacketDirection;
import io.metaroce.pcap.PacketRecord;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Goes through a capture once, hands what is MOP to the judge, and counts the rest by what it is. */
final class CaptureScan {
    private static final int LINK_TYPES_MAX = 16;

    final CaptureJudge judge;
    long packets;
    long mop;
    long cut;
    long unreadable;
    long notMop;
    long captureDrops;
    long firstNs;
    long lastNs;
    final long[] linkResults = new long[LinkResult.values().length];
    final long[] parseResults = new long[ParseResult.values().length];
    private final TreeSet<Integer> unknownLinkTypes = new TreeSet<>();
    private final PortRange ports;
    private final LinkParser parser = new LinkParser();
    private final LinkView link = new LinkView();
    private final HeaderReader headers = new HeaderReader();
    private final PacketView view = new PacketView();
    private final CaptureReader reader;
    private boolean hasTime;
    private boolean isTimeBackwards;

    CaptureScan(CaptureReader reader, PortRange ports, long stallNs) {
        this.reader = reader;
        this.ports = ports;
        this.judge = new CaptureJudge(stallNs);
    }

    /** Reads to the end. */
    void run() throws IOException {
        PacketRecord packet = new PacketRecord();
        while (reader.next(packet)) {
            onRecord(packet);
        }
    }

    private void onRecord(PacketRecord packet) {
        packets++;
        if (packet.droppedPackets() > 0) {
            captureDrops += packet.droppedPackets();
            judge.onUnreadable();
        }
        if (packet.hasTime()) {
            long timeNs = packet.timeNs();
            isTimeBackwards |= hasTime && timeNs < lastNs;
            firstNs = hasTime ? Math.min(firstNs, timeNs) : timeNs;
            lastNs = hasTime ? Math.max(lastNs, timeNs) : timeNs;
            hasTime = true;
        }
        LinkType type = LinkType.of(packet.linkType());
        if (type == null) {
            if (unknownLinkTypes.size() < LINK_TYPES_MAX) {
                unknownLinkTypes.add(packet.linkType());
            }
            return;
        }
        LinkResult result =
                parser.parse(type, packet.data(), 0, packet.capturedLength(), packet.originalLength(), link);
        linkResults[result.ordinal()]++;
        boolean isUsable = result == LinkResult.OK || result == LinkResult.PAYLOAD_TRUNCATED;
        if (!isUsable || !link.hasPayload()) {
            return;
        }
        if (!ports.contains(link.destinationPort())) {
            notMop++;
            return;
        }
        onPayload(packet);
    }

    private void onPayload(PacketRecord packet) {
        mop++;
        int captured = link.capturedPayloadLength();
        ParseResult parsed = headers.read(packet.data(), link.payloadOffset(), captured, link.payloadLength(), view);
        cut += captured < link.payloadLength() ? 1 : 0;
        if (parsed == null) {
            unreadable++;
            judge.onUnreadable();
            return;
        }
        parseResults[parsed.ordinal()]++;
        if (parsed == ParseResult.OK) {
            boolean isSentHere = packet.direction() == PacketDirection.OUTBOUND;
            judge.onPacket(view, link, packet.number(), packet.hasTime() ? packet.timeNs() : lastNs, isSentHere);
        } else if (parsed == ParseResult.BAD_CHECKSUM) {
            judge.onUnreadable();
        } else {
            judge.findings.add(Judged.REFUSED, packet.number());
        }
    }

    /** What keeps this judgement from being about the whole capture, one line each. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (CaptureProblem problem : CaptureProblem.values()) {
            long count = reader.problemCount(problem);
            if (count > 0 && problem.effect() != CaptureProblem.Effect.ENDS) {
                warnings.add(problem.description() + " (" + count + " times)");
            }
        }
        String endedEarly = reader.endedEarly();
        if (endedEarly != null) {
            warnings.add(endedEarly);
        }
        unknownLinkTypes.forEach(type -> warnings.add("link type " + type + " is not understood"));
        note(warnings, linkResults[LinkResult.FRAGMENT.ordinal()], "IP fragments, not put together");
        note(warnings, cut, "packets cut by the capture, their checksums not checked");
        note(warnings, unreadable, "packets cut inside their headers, not judged");
        note(warnings, captureDrops, "packets that the capture itself lost: what is missing may never have been lost");
        note(warnings, judge.flows.unfollowed(), "packets of connections or paths beyond what is followed");
        if (isTimeBackwards) {
            warnings.add("times run backwards: several interfaces, or a clock that was set");
        }
        if (packets > 0 && mop == 0) {
            warnings.add("no packet is MOP; --port names other UDP ports");
        }
        return warnings;
    }

    private static void note(List<String> warnings, long count, String words) {
        if (count > 0) {
            warnings.add(count + " " + words);
        }
    }

    /** Why the file is no capture at all; null if it is one. */
    @Nullable
    String refusal() {
        return reader.isNoCapture() ? String.valueOf(reader.endedEarly()) : null;
    }

    String format() {
        return reader.format().description();
    }

    int interfaces() {
        return reader.interfaceCount();
    }
}
