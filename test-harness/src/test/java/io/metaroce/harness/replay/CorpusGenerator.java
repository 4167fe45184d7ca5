// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.link.EcnField;
import io.metaroce.link.FrameBuilder;
import io.metaroce.link.LinkType;
import io.metaroce.pcap.CaptureFormat;
import io.metaroce.pcap.CaptureWriter;
import io.metaroce.pcap.PacketDirection;
import io.metaroce.port.Ecn;
import io.metaroce.transport.connection.BrokenRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a capture of the corpus: two ends in virtual time, a wire of 10 Gbit/s with four ways of different delay, faults
 * from the scenario's seed, and a tap at the receiver. The same scenario gives the same bytes.
 */
final class CorpusGenerator {
    /** Where virtual time begins: some time of 2026, so that tools show a date. */
    static final long START_NS = 1_790_000_000_000_000_000L;

    private static final long END_NS = START_NS + 2_000_000_000L;
    private static final long DELAY_NS = 10_000;
    private static final long DELAY_STEP_NS = 700;
    private static final int HOLD_NS_MAX = 60_000;
    private static final int SOURCE_PORT_FIRST = 49_152;
    private static final int NS_PER_100_BYTES = 80;
    private static final int PATH_OFFSET = 2;
    private static final int VICTIM = 1;

    private record Delivery(
            long timeNs,
            long order,
            boolean isToReceiver,
            UnsafeBuffer frame,
            @Nullable String remark) {}

    private final Scenario scenario;
    private final Plan plan;
    private final Endpoint sender;
    private final Endpoint receiver;
    private final Seeded random;
    private final PriorityQueue<Delivery> wire = new PriorityQueue<>((a, b) ->
            a.timeNs() == b.timeNs() ? Long.compare(a.order(), b.order()) : Long.compare(a.timeNs(), b.timeNs()));
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final CaptureWriter capture;
    private final UnsafeBuffer frame = new UnsafeBuffer(BufferUtil.allocateDirectAligned(2048, 64));
    private final int[] victimPort = {-1, -1};
    private final long[] wireFreeNs = {START_NS, START_NS};
    private long order;
    private int lost;
    private int lostData;

    private CorpusGenerator(Scenario scenario) throws IOException {
        this.scenario = scenario;
        this.plan = new Plan(scenario.seed());
        this.sender = new Endpoint(scenario.sender());
        this.receiver = new Endpoint(scenario.receiver(BrokenRule.NONE));
        this.random = new Seeded(scenario.seed());
        this.capture = new CaptureWriter(Channels.newChannel(file), CaptureFormat.PCAPNG);
        capture.addInterface("receiver", LinkType.ETHERNET.number(), 0);
    }

    /**
     * Runs a scenario to its end.
     *
     * @throws AssertionError when the receiver does not end up with what the plan says
     */
    static Corpus generate(Scenario scenario) throws IOException {
        return new CorpusGenerator(scenario).run();
    }

    private Corpus run() throws IOException {
        for (int i = 0; i < plan.messages().size(); i++) {
            sender.post(i, plan);
        }
        sender.connection().open(START_NS);
        receiver.connection().open(START_NS);
        long nowNs = START_NS;
        while (nowNs < END_NS && !isDone()) {
            turn(sender, true, nowNs);
            turn(receiver, false, nowNs);
            nowNs = nextNs();
            deliver(nowNs);
        }
        capture.flush();
        byte[] region = new byte[Plan.REGION_BYTES];
        receiver.region().getBytes(0, region);
        if (!Arrays.equals(region, plan.region())) {
            throw new AssertionError(scenario + ": the receiver's memory is not what the plan says");
        }
        return new Corpus(file.toByteArray(), lost, lostData, nowNs - START_NS);
    }

    private boolean isDone() {
        return sender.completions().size() == plan.messages().size() && wire.isEmpty();
    }

    private long nextNs() {
        long nextNs = Math.min(
                sender.connection().nextDeadlineNs(), receiver.connection().nextDeadlineNs());
        Delivery first = wire.peek();
        return first == null ? nextNs : Math.min(nextNs, first.timeNs());
    }

    private void deliver(long nowNs) throws IOException {
        Delivery due = wire.peek();
        while (due != null && due.timeNs() <= nowNs) {
            wire.remove();
            UnsafeBuffer bytes = due.frame();
            if (due.isToReceiver()) {
                capture.direction(PacketDirection.INBOUND);
                if (due.remark() != null) {
                    capture.comment(due.remark());
                }
                capture.write(0, nowNs, bytes, 0, bytes.capacity());
            }
            Endpoint end = due.isToReceiver() ? receiver : sender;
            if (end.onFrame(LinkType.ETHERNET, bytes, bytes.capacity(), nowNs) == null) {
                throw new AssertionError(scenario + ": a frame of ours was not understood");
            }
            turn(end, !due.isToReceiver(), nowNs);
            due = wire.peek();
        }
    }

    /** One turn of an end: everything it has to send goes onto the wire. */
    private void turn(Endpoint end, boolean isSender, long nowNs) throws IOException {
        end.onTurnEnd(nowNs);
        for (int length = end.poll(nowNs); length > 0; length = end.poll(nowNs)) {
            transmit(end, isSender, length, nowNs);
        }
    }

    private void transmit(Endpoint end, boolean isSender, int length, long nowNs) throws IOException {
        FrameBuilder builder = builder(isSender).padded(true);
        int sourcePort = SOURCE_PORT_FIRST + end.route().sourcePortIndex();
        builder.ports(sourcePort, end.route().udpPort());
        frame.putBytes(builder.headerLength(), end.outbound(), 0, length);
        int frameLength = builder.build(frame, 0, length);
        if (!isSender) {
            capture.direction(PacketDirection.OUTBOUND).write(0, nowNs, frame, 0, frameLength);
        }
        int way = isSender ? 0 : 1;
        wireFreeNs[way] = Math.max(wireFreeNs[way], nowNs) + (long) frameLength * NS_PER_100_BYTES / 100;
        int path = end.outbound().getByte(PATH_OFFSET) & 0xff;
        if (isLost(path, sourcePort, way, nowNs)) {
            lost++;
            lostData += isSender && (end.outbound().getByte(0) & 0xf) == 0 ? 1 : 0;
            return;
        }
        boolean isMarked = isSender && random.happens(scenario.markPerMille());
        if (isMarked) {
            EcnField.rewrite(frame, builder.headerLength() - 8 - (scenario.isIpv6() ? 40 : 20), Ecn.CE);
        }
        UnsafeBuffer bytes = new UnsafeBuffer(BufferUtil.allocateDirectAligned(frameLength, 64));
        bytes.putBytes(0, frame, 0, frameLength);
        long arrivalNs = wireFreeNs[way] + DELAY_NS + DELAY_STEP_NS * (sourcePort % 7);
        schedule(bytes, isSender, arrivalNs, isMarked ? "marked by the wire" : null);
    }

    private void schedule(UnsafeBuffer bytes, boolean isToReceiver, long arrivalNs, @Nullable String remark) {
        boolean isHeld = random.happens(scenario.reorderPerMille());
        long timeNs = isHeld ? arrivalNs + 1 + random.below(HOLD_NS_MAX) : arrivalNs;
        wire.add(new Delivery(timeNs, order++, isToReceiver, bytes, isHeld ? "held back by the wire" : remark));
        if (random.happens(scenario.duplicatePerMille())) {
            long copyNs = timeNs + 1 + random.below(HOLD_NS_MAX);
            wire.add(new Delivery(copyNs, order++, isToReceiver, bytes, "copied by the wire"));
        }
    }

    /** Whether the wire loses a packet: by chance, or because the first way of the victim path is dead. */
    private boolean isLost(int path, int sourcePort, int way, long nowNs) {
        if (path == VICTIM && victimPort[way] < 0) {
            victimPort[way] = sourcePort;
        }
        boolean isKilled = scenario.killAfterNs() > 0
                && nowNs >= START_NS + scenario.killAfterNs()
                && sourcePort == victimPort[way];
        return isKilled || random.happens(scenario.lossPerMille());
    }

    private FrameBuilder builder(boolean isSender) {
        FrameBuilder builder = new FrameBuilder();
        if (isSender) {
            builder.ethernet(0x020000000002L, 0x020000000001L)
                    .addresses(
                            scenario.senderHigh(),
                            scenario.senderLow(),
                            scenario.receiverHigh(),
                            scenario.receiverLow());
        } else {
            builder.ethernet(0x020000000001L, 0x020000000002L)
                    .addresses(
                            scenario.receiverHigh(),
                            scenario.receiverLow(),
                            scenario.senderHigh(),
                            scenario.senderLow());
        }
        return scenario.vlan() == 0 ? builder : builder.vlan(0x8100, scenario.vlan());
    }
}
