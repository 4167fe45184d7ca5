// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.link.LinkView;
import io.metaroce.port.Ecn;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.SendHeaderFlyweight;
import io.metaroce.wire.Syndrome;
import io.metaroce.wire.Timestamp;

/** Judges packets one after the other, in the order of the capture. */
final class CaptureJudge {
    private static final int DYNAMIC_PORT_FIRST = 49_152;
    private static final int CONNECTION_WINDOW_MAX = 16_384;

    final FlowTable flows = new FlowTable();
    final Findings findings = new Findings();
    final Timeline goodput = new Timeline();
    private final long stallNs;
    private long frame;
    private long nowNs;
    private int port;
    private boolean isIncomplete;

    /**
     * @param stallNs silence with something outstanding that is worth telling
     */
    CaptureJudge(long stallNs) {
        this.stallNs = stallNs;
    }

    /** A packet cannot be read, or the capture lost one: what is not seen was perhaps sent. */
    void onUnreadable() {
        isIncomplete = true;
    }

    /** Takes one packet that a receiver would accept. */
    void onPacket(PacketView packet, LinkView link, long frameNumber, long timeNs, boolean isSentHere) {
        frame = frameNumber;
        nowNs = timeNs;
        port = link.sourcePort();
        judgeHeaders(link);
        Flow flow = flows.flow(packet.connectionId(), link);
        if (flow == null) {
            return;
        }
        flow.packets++;
        flow.firstNs = flow.firstNs == Long.MIN_VALUE ? timeNs : flow.firstNs;
        flow.lastNs = timeNs;
        switch (packet.type()) {
            case DATA -> onData(flow, packet, isSentHere);
            case ACK -> onAck(flow, packet.ack(), link);
            case PROBE -> onProbe(flow, packet.probe(), isSentHere);
            case CREDIT -> onCredit(flow, packet.credit());
            case CREDIT_REQUEST -> flow.isAskingForCredit = true;
            case PLANE_STATUS -> {
                if (findings.wantsEvent()) {
                    String planes = Integer.toHexString(packet.planeStatus().planes());
                    findings.event(frame, nowNs, name(flow) + ": the sender can receive on planes 0x" + planes);
                }
            }
        }
    }

    private void judgeHeaders(LinkView link) {
        judge(link.ecn() != Ecn.ECT_0 && link.ecn() != Ecn.CE, Judged.NOT_ECN_CAPABLE);
        judge(port < DYNAMIC_PORT_FIRST, Judged.SOURCE_PORT);
        judge(!link.isUnfragmentable(), Judged.FRAGMENTABLE);
    }

    private void onData(Flow flow, PacketView packet, boolean isSentHere) {
        DataFlyweight data = packet.data();
        PathTrace path = flows.path(flow, data.pathId());
        if (path == null || !enterEpoch(flow, path, data.epoch())) {
            return;
        }
        judge(data.flags() > 0xf, Judged.RESERVED);
        boolean isLater = path.onTimestamp(data.timestamp(), nowNs);
        if (path.exceedsWindow(data.pathSequence())) {
            findings.add(Judged.PATH_WINDOW, frame);
        }
        watchForStall(flow);
        PathTrace.Kind kind = path.onData(data.pathSequence(), data.timestamp(), data.transmitCount(), nowNs);
        path.bytes += data.payloadLength();
        judge(!isLater && kind != PathTrace.Kind.COPY && isSentHere, Judged.TIMESTAMP);
        judge(path.isCountWrong(), Judged.TRANSMIT_COUNT);
        if (kind != PathTrace.Kind.COPY) {
            onContent(flow, path, packet, kind);
        }
    }

    private void onContent(Flow flow, PathTrace path, PacketView packet, PathTrace.Kind kind) {
        DataFlyweight data = packet.data();
        Flow.Content content = flow.onContent(packet, data);
        boolean isSeen = content == Flow.Content.SEEN || content == Flow.Content.CHANGED;
        boolean isAgain = isSeen || data.transmitCount() > 1;
        judge(isAgain && !data.hasFlag(DataFlyweight.FLAG_RETRANSMIT), Judged.RETRANSMIT_FLAG);
        judge(content == Flow.Content.CHANGED && packet.opcode().placesByAddress(), Judged.CONTENT_CHANGED);
        boolean isBeyond = flow.hasExpected && data.connectionSequence() - flow.latestExpected >= CONNECTION_WINDOW_MAX;
        judge(isBeyond, Judged.CONNECTION_WINDOW);
        if (content == Flow.Content.NEW) {
            flow.payloadBytes += data.payloadLength();
            goodput.add(nowNs, data.payloadLength());
            flow.messages += data.hasFlag(DataFlyweight.FLAG_MESSAGE_END) ? 1 : 0;
            judgeMessage(flow, packet);
        } else if (isSeen && kind == PathTrace.Kind.FIRST) {
            onMoved(flow, path, flow.pathOf(data.connectionSequence()));
        }
    }

    private void judgeMessage(Flow flow, PacketView packet) {
        DataFlyweight data = packet.data();
        Opcode opcode = packet.opcode();
        if (opcode == Opcode.ERROR) {
            Syndrome syndrome = Syndrome.of(packet.error().syndrome());
            flow.onError(syndrome);
            if (findings.wantsEvent()) {
                findings.event(
                        frame,
                        nowNs,
                        name(flow) + ": refused message " + data.messageSequence() + " of stream " + data.streamId()
                                + ", " + syndrome);
            }
            return;
        }
        if (!opcode.consumesReceive()) {
            return;
        }
        int receiveNumber;
        if (opcode.placesByAddress()) {
            receiveNumber = packet.write().receiveNumber();
        } else {
            SendHeaderFlyweight send = packet.send();
            receiveNumber = send.receiveNumber();
            boolean isEnd = send.messageOffset() + data.payloadLength() == send.messageLength();
            judge(isEnd != data.hasFlag(DataFlyweight.FLAG_MESSAGE_END), Judged.MESSAGE_END);
        }
        judge(flow.exceedsLimit(data.streamId(), receiveNumber), Judged.NO_CREDIT);
    }

    private void onMoved(Flow flow, PathTrace to, int fromId) {
        PathTrace from = flow.path(fromId);
        if (from == null || from == to) {
            return;
        }
        if (from.movedAway++ == 0 && findings.wantsEvent()) {
            findings.event(frame, nowNs, name(flow) + ": contents of path " + fromId + " move to other paths");
        }
    }

    private void onAck(Flow carrier, AckFlyweight ack, LinkView link) {
        judge(ack.flags() > 0xf, Judged.RESERVED);
        boolean hasHint = ack.hasFlag(AckFlyweight.FLAG_HINT);
        boolean hasCredit = ack.hasFlag(AckFlyweight.FLAG_CREDIT);
        judge(!hasHint && ack.hint() != 0, Judged.CLEAR_FIELD);
        judge(!hasCredit && (ack.creditLimit() != 0 || ack.creditStream() != 0), Judged.CLEAR_FIELD);
        judge(ack.hasFlag(AckFlyweight.FLAG_SACK) && isEmpty(ack), Judged.EMPTY_SACK);
        Flow flow = flows.acknowledged(carrier, link, ack.pathId(), ack.echoedTimestamp());
        if (flow == null) {
            return;
        }
        flow.lastAckNs = nowNs;
        if (hasHint) {
            flow.hint = ack.hint();
        }
        if (hasCredit) {
            flow.onLimit(ack.creditStream(), ack.creditLimit());
        }
        if (!flow.hasExpected || ack.nextConnectionSequence() - flow.latestExpected > 0) {
            flow.hasExpected = true;
            flow.latestExpected = ack.nextConnectionSequence();
        }
        PathTrace path = flow.path(ack.pathId());
        if (path != null && path.epoch == ack.epoch()) {
            judge(!isIncomplete && path.isImpossible(ack.nextPathSequence()), Judged.IMPOSSIBLE_ACK);
            path.onAck(ack, Timestamp.decodeDelayNs(ack.delay()), nowNs);
        }
    }

    private void onProbe(Flow flow, ProbeFlyweight probe, boolean isSentHere) {
        PathTrace path = flows.path(flow, probe.pathId());
        if (path != null && enterEpoch(flow, path, probe.epoch())) {
            path.probes++;
            boolean isCopy = path.sentNs(probe.timestamp()) >= 0;
            boolean isLater = path.onTimestamp(probe.timestamp(), nowNs);
            judge(!isLater && !isCopy && isSentHere, Judged.TIMESTAMP);
        }
    }

    private void onCredit(Flow carrier, CreditFlyweight credit) {
        Flow flow = carrier.peer;
        if (flow != null) {
            flow.isAskingForCredit = false;
            for (int i = 0; i < credit.entries(); i++) {
                flow.onLimit(credit.streamId(i), credit.limit(i));
            }
        }
    }

    private boolean enterEpoch(Flow flow, PathTrace path, int epoch) {
        int epochs = path.epochs;
        if (!path.enterEpoch(epoch, port)) {
            return false;
        }
        if (path.epochs > epochs && epochs > 0 && findings.wantsEvent()) {
            findings.event(frame, nowNs, name(flow) + ": path " + path.id + " begins epoch " + epoch);
        }
        judge(path.sourcePort != port, Judged.ENTROPY);
        return true;
    }

    /** Silence that ends now, although something was outstanding, and why. */
    private void watchForStall(Flow flow) {
        long sinceNs = flow.lastDataNs;
        flow.lastDataNs = nowNs;
        if (sinceNs == Long.MIN_VALUE || nowNs - sinceNs < stallNs) {
            return;
        }
        boolean isWaiting = flow.isAskingForCredit || flow.hasOutstanding();
        if (!isWaiting || !findings.wantsEvent()) {
            return;
        }
        String cause = flow.isAskingForCredit
                ? "it waited for credit"
                : flow.lastAckNs > sinceNs ? "ACKs came, windows held it back" : "no ACK came";
        findings.event(frame, nowNs, name(flow) + ": stalled for " + (nowNs - sinceNs) / 1000 + " us, " + cause);
    }

    private static boolean isEmpty(AckFlyweight ack) {
        long any = 0;
        for (int word = 0; word < AckFlyweight.SACK_BITS / Long.SIZE; word++) {
            any |= ack.sackWord(word);
        }
        return any == 0;
    }

    private void judge(boolean isBroken, Judged what) {
        if (isBroken) {
            findings.add(what, frame);
        }
    }

    static String name(Flow flow) {
        return "0x" + Integer.toHexString(flow.connectionId);
    }
}
