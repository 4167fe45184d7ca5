// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.link.LinkParser;
import io.metaroce.link.LinkResult;
import io.metaroce.link.LinkType;
import io.metaroce.link.LinkView;
import io.metaroce.pcap.CaptureInterface;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.PacketDirection;
import io.metaroce.pcap.PacketRecord;
import java.util.StringJoiner;

/** Says what a captured frame says: the capture's own words, the headers, and behind them the MOP packet. */
final class FrameDescriber {
    private static final String[] ECN_NAMES = {"NotECT", "ECT1", "ECT0", "CE"};

    private final PortRange ports;
    private final LinkParser parser = new LinkParser();
    private final LinkView view = new LinkView();
    private final PacketDescriber packets = new PacketDescriber();
    private boolean hasFirstTime;
    private long firstTimeNs;

    FrameDescriber(PortRange ports) {
        this.ports = ports;
    }

    /** Describes a packet; false when its link type is not understood. */
    boolean describe(CaptureReader reader, PacketRecord packet, Line line) {
        line.clear();
        record(reader, packet, line);
        LinkType type = LinkType.of(packet.linkType());
        if (type == null) {
            line.problem("link type " + packet.linkType() + " is not understood");
            return false;
        }
        LinkResult result =
                parser.parse(type, packet.data(), 0, packet.capturedLength(), packet.originalLength(), view);
        if (view.hasAddresses()) {
            headers(line);
        }
        if (!view.hasPayload()) {
            line.problem(
                    result == LinkResult.NOT_IP && view.etherType() != 0
                            ? "not IP (EtherType 0x" + Integer.toHexString(view.etherType()) + ")"
                            : result.description());
            return true;
        }
        if (!ports.contains(view.destinationPort())) {
            line.problem("not MOP (UDP port " + view.destinationPort() + ")");
            return true;
        }
        if (result != LinkResult.OK && result != LinkResult.PAYLOAD_TRUNCATED) {
            line.problem(result.description());
        }
        packets.describe(packet.data(), view.payloadOffset(), view.capturedPayloadLength(), view.payloadLength(), line);
        return true;
    }

    private void record(CaptureReader reader, PacketRecord packet, Line line) {
        line.number(Field.FRAME, packet.number());
        if (packet.hasTime()) {
            if (!hasFirstTime) {
                hasFirstTime = true;
                firstTimeNs = packet.timeNs();
            }
            line.number(Field.TIME_NS, packet.timeNs() - firstTimeNs);
            line.number(Field.CAPTURED_AT_NS, packet.timeNs());
        }
        CaptureInterface captured = reader.interfaceAt(packet.interfaceIndex());
        if (!captured.name().isEmpty()) {
            line.text(Field.INTERFACE, captured.name());
        } else if (reader.interfaceCount() > 1) {
            line.text(Field.INTERFACE, Integer.toString(packet.interfaceIndex()));
        }
        if (packet.direction() != PacketDirection.UNKNOWN) {
            line.text(Field.DIRECTION, packet.direction() == PacketDirection.INBOUND ? "in" : "out");
        }
        int comments = packet.commentCount();
        if (comments > 0) {
            StringJoiner joined = new StringJoiner("; ");
            for (int i = 0; i < comments; i++) {
                joined.add(packet.comment(i));
            }
            line.text(Field.COMMENT, joined.toString());
        }
    }

    private void headers(Line line) {
        boolean hasPorts = view.hasPorts();
        line.text(Field.SOURCE, address(view.sourceHigh(), view.sourceLow(), hasPorts ? view.sourcePort() : -1));
        line.text(
                Field.DESTINATION,
                address(view.destinationHigh(), view.destinationLow(), hasPorts ? view.destinationPort() : -1));
        line.text(Field.ECN, ECN_NAMES[view.ecn()]);
        if (view.vlanTagCount() > 0) {
            StringJoiner ids = new StringJoiner(",");
            for (int i = 0; i < view.vlanTagCount(); i++) {
                ids.add(Integer.toString(view.vlanId(i)));
            }
            line.text(Field.VLAN, ids.toString());
        }
    }

    private static String address(long high, long low, int port) {
        return port < 0 ? AddressText.of(high, low) : AddressText.withPort(high, low, port);
    }
}
