// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.link.LinkParser;
import io.metaroce.link.LinkResult;
import io.metaroce.link.LinkType;
import io.metaroce.link.LinkView;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.PacketDirection;
import io.metaroce.pcap.PacketRecord;
import io.metaroce.transport.connection.BrokenRule;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Objects;

/**
 * Plays the packets that a receiver got, at their times, into the transport core, and lets the model judge every ACK: those
 * that the core sends now, and those that stand in the capture.
 */
final class CaptureReplay {
    private static final int TIMER_TURNS_MAX = 100_000;

    private final Endpoint receiver;
    private final ReceiveModel model = new ReceiveModel();
    private final LinkParser link = new LinkParser();
    private final LinkView linkView = new LinkView();
    private final PacketParser parser = new PacketParser();
    private final PacketView packet = new PacketView();
    private int acknowledgements;

    CaptureReplay(Scenario scenario, BrokenRule broken) {
        receiver = new Endpoint(scenario.receiver(broken));
    }

    CaptureReplay run(byte[] capture) throws IOException {
        CaptureReader reader = new CaptureReader(Channels.newChannel(new ByteArrayInputStream(capture)));
        PacketRecord record = new PacketRecord();
        while (reader.next(record)) {
            if (record.number() == 1) {
                receiver.connection().open(record.timeNs());
            }
            onRecord(record);
        }
        if (reader.endedEarly() != null) {
            throw new AssertionError(reader.endedEarly());
        }
        return this;
    }

    Endpoint receiver() {
        return receiver;
    }

    ReceiveModel model() {
        return model;
    }

    /** ACKs that the core sent. */
    int acknowledgements() {
        return acknowledgements;
    }

    private void onRecord(PacketRecord record) {
        LinkType type = Objects.requireNonNull(LinkType.of(record.linkType()));
        if (record.direction() == PacketDirection.OUTBOUND) {
            parse(type, record);
            model.onOutbound(packet, "recorded");
            return;
        }
        runTimers(record.timeNs());
        parse(type, record);
        model.onInbound(packet, linkView.ecn());
        receiver.onFrame(type, record.data(), record.capturedLength(), record.timeNs());
        turn(record.timeNs());
    }

    private void parse(LinkType type, PacketRecord record) {
        LinkResult result = link.parse(type, record.data(), 0, record.capturedLength(), linkView);
        ParseResult parsed = parser.parse(record.data(), linkView.payloadOffset(), linkView.payloadLength(), packet);
        if (result != LinkResult.OK || parsed != ParseResult.OK) {
            throw new AssertionError("packet " + record.number() + ": " + result + ", " + parsed);
        }
    }

    private void runTimers(long untilNs) {
        long deadlineNs = receiver.connection().nextDeadlineNs();
        for (int turns = 0; deadlineNs < untilNs; turns++) {
            if (turns == TIMER_TURNS_MAX) {
                throw new AssertionError("timers do not move on at " + deadlineNs);
            }
            turn(deadlineNs);
            deadlineNs = receiver.connection().nextDeadlineNs();
        }
    }

    private void turn(long nowNs) {
        receiver.onTurnEnd(nowNs);
        PacketView sent = new PacketView();
        for (int length = receiver.poll(nowNs); length > 0; length = receiver.poll(nowNs)) {
            if (parser.parse(receiver.outbound(), 0, length, sent) != ParseResult.OK) {
                throw new AssertionError("the core sent what the parser refuses");
            }
            acknowledgements += sent.type() == PacketType.ACK ? 1 : 0;
            model.onOutbound(sent, "replayed");
        }
    }
}
