// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryKey;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.port.Ecn;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.path.PathReason;
import io.metaroce.transport.path.PathState;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection that a script drives: packets and times as text. The script is the peer. The language is described beside
 * the scripts, in {@code README.md}.
 */
final class ScriptedConnection {
    private static final int FRAME_BYTES = 10_000;
    private static final int MEMORY_BYTES = 1 << 20;
    /** Offsets of the memory that sends come from, of posted receives, and of what the peer writes. */
    private static final int RECEIVES_AT = 1 << 18;

    private static final int WRITES_AT = 1 << 19;
    private static final int RECEIVE_STRIDE = 1 << 12;
    private static final int RING = 512;
    private static final long SETTLED_NS = 1_000_000;
    private static final int TIMERS_MAX = 100_000;

    private final ScriptSettings settings;
    private final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(MEMORY_BYTES, 64));
    private final UnsafeBuffer sent = new UnsafeBuffer(BufferUtil.allocateDirectAligned(FRAME_BYTES, 64));
    private final List<UnsafeBuffer> rings = new ArrayList<>();
    private final SlotRing sendRing = ring();
    private final SlotRing receiveRing = ring();
    private final SlotRing completions = ring();
    private final SlotRing receiveCompletions = ring();
    private final PacketParser parser = new PacketParser();
    private final PacketView view = new PacketView();
    private final PacketView injected = new PacketView();
    private final Arrival arrival = new Arrival();
    private final TransmitFrame frame = new TransmitFrame();
    private final Map<Integer, String> states = new HashMap<>();
    private final int key = MemoryKey.of(1, 7);
    private final ConnectionCounters counters;
    private final Connection connection;
    private final ScriptedPeer peer;
    private final Expectations expectations;
    private final long startNs = 1_000_000_000;
    private long nowNs = startNs;
    private long readyNs = startNs + SETTLED_NS;
    private int posted;

    ScriptedConnection(ScriptSettings settings) throws ReflectiveOperationException {
        this.settings = settings;
        MemoryRegionTable table = new MemoryRegionTable();
        table.install(key, memory.addressOffset(), MEMORY_BYTES, AccessFlags.ALL, 1);
        counters = ConnectionCounters.inProcess(settings.paths());
        connection = new Connection(settings.connection(), table, settings.congestion(), new Diary(), counters);
        connection.openStream(new StreamSettings(5, 100, 1, sendRing, receiveRing, completions, receiveCompletions));
        SequenceOrigins.outbound(connection, settings.start());
        SequenceOrigins.inbound(connection, settings.paths(), settings.peerStart());
        peer = new ScriptedPeer(memory.addressOffset() + WRITES_AT, key);
        expectations = new Expectations(view, frame, peer);
    }

    /** Obeys one line of a script. */
    void obey(String line) {
        Words words = Words.of(line);
        switch (words.verb()) {
            case "ready" -> open();
            case "open" -> connection.open(nowNs);
            case "at" -> advanceTo(readyNs + Words.nanoseconds(words.word(1)));
            case "after" -> advanceTo(nowNs + Words.nanoseconds(words.word(1)));
            case "write" -> post(words, WorkRequestOpcode.RDMA_WRITE);
            case "write-imm" -> post(words, WorkRequestOpcode.RDMA_WRITE_WITH_IMM);
            case "send" -> post(words, WorkRequestOpcode.SEND);
            case "receive" -> postReceive(words);
            case "expect" -> expect(words);
            case "ack", "data", "probe", "credit", "credit-request", "planes-usable" -> inject(words);
            case "completes" -> assertCompletion(words, completions);
            case "receives" -> assertCompletion(words, receiveCompletions);
            case "state" -> assertThat(states.get((int) words.value("path", 0))).isEqualTo(words.word(2));
            case "memory" -> assertMemory(words);
            case "counts" ->
                assertThat(counters.get(ConnectionCounter.valueOf(words.word(1))))
                        .isEqualTo(words.number(2));
            case "lost" -> assertThat(connection.lossReason()).isEqualTo(LossReason.valueOf(words.word(1)));
            case "alive" -> assertThat(connection.lossReason()).isNull();
            case "link" -> connection.onPlaneLink((int) words.value("plane", 0), words.has("up"), nowNs);
            case "stall" -> stall(Words.nanoseconds(words.word(1)));
            default -> throw new IllegalArgumentException("no such verb: " + words.verb());
        }
    }

    /** Opens, answers every opening probe, and leaves the round trip at 10 us. */
    private void open() {
        connection.open(nowNs);
        int length = poll();
        for (int probes = 0; length > 0; probes++) {
            assertThat(probes).as("opening probes").isLessThan(4 * settings.paths() + 4);
            assertThat(view.type()).isEqualTo(PacketType.PROBE);
            peer.remember("opening", view.probe().timestamp());
            nowNs += 10_000;
            int path = view.probe().pathId();
            inject(Words.of("ack echo=opening path=" + path + " next="
                    + settings.start().value("seq", 0) + " csn="
                    + settings.start().value("csn", 0)));
            length = poll();
        }
    }

    /** Fires the timers that fall due on the way; what they want to send waits until the script looks. */
    private void advanceTo(long targetNs) {
        assertThat(targetNs).as("time").isGreaterThanOrEqualTo(nowNs);
        for (int timers = 0; connection.nextDeadlineNs() <= targetNs; timers++) {
            assertThat(timers).as("timers until then").isLessThan(TIMERS_MAX);
            long deadlineNs = connection.nextDeadlineNs();
            nowNs = Math.max(nowNs, deadlineNs);
            connection.onTimer(nowNs);
            if (connection.nextDeadlineNs() == deadlineNs) {
                // Only a packet that is due would move this deadline.
                break;
            }
        }
        nowNs = targetNs;
        connection.onTimer(nowNs);
        connection.onWorkRequests(RING, nowNs);
    }

    private void stall(long stallNs) {
        nowNs += stallNs;
        connection.onReceiveTurnEnd();
        connection.onStall(stallNs);
        connection.onTimer(nowNs);
    }

    private void post(Words words, WorkRequestOpcode opcode) {
        WorkRequestSlot slot = new WorkRequestSlot();
        assertThat(sendRing.canProduce()).isTrue();
        sendRing.claim(slot);
        slot.id(posted++);
        slot.opcode(opcode);
        slot.flags(SendFlags.SIGNALED);
        slot.local(key, memory.addressOffset(), words.number(1));
        slot.remote(77, 4096);
        slot.immediate(words.sequence("imm", 0));
        sendRing.publish();
    }

    private void postReceive(Words words) {
        ReceiveSlot slot = new ReceiveSlot();
        int index = (int) receiveRing.produced();
        receiveRing.claim(slot);
        slot.id(index);
        slot.local(key, memory.addressOffset() + RECEIVES_AT + (long) index * RECEIVE_STRIDE, words.number(1));
        receiveRing.publish();
    }

    private void expect(Words words) {
        if (words.word(1).equals("nothing")) {
            int length = poll();
            assertThat(length)
                    .as(() -> "the connection sent " + expectations.describe())
                    .isZero();
            return;
        }
        int times = (int) words.value("times", 1);
        for (int nth = 0; nth < times; nth++) {
            assertThat(poll()).as("bytes sent as packet %d of the line", nth).isPositive();
            try {
                expectations.check(words, nth);
            } catch (AssertionError e) {
                throw new AssertionError("sent " + expectations.describe() + ": " + e.getMessage(), e);
            }
        }
    }

    private void inject(Words words) {
        int length = peer.write(words);
        assertThat(parser.parse(peer.packet, 0, length, injected)).isEqualTo(ParseResult.OK);
        int plane = (int) words.value("plane", 0);
        arrival.set(plane, 0, ScriptSettings.address(plane), words.has("marked") ? Ecn.CE : Ecn.ECT_0, 0);
        connection.onPacket(injected, arrival, nowNs);
        if (!words.has("more")) {
            connection.onReceiveTurnEnd();
        }
    }

    private void assertCompletion(Words words, SlotRing ring) {
        CompletionSlot slot = new CompletionSlot();
        connection.onWorkRequests(RING, nowNs);
        if (words.word(1).equals("nothing")) {
            assertThat(ring.available()).as("completions").isZero();
            return;
        }
        assertThat(ring.available()).as("completions").isPositive();
        ring.peek(slot);
        assertThat(slot.id()).isEqualTo(words.number(1));
        assertThat(slot.status()).isEqualTo(CompletionStatus.valueOf(words.word(2)));
        words.check("bytes", slot.length());
        words.checkSequence("imm", slot.immediate(), 0);
        ring.release();
    }

    private void assertMemory(Words words) {
        int begin = words.sets("receive")
                ? RECEIVES_AT + (int) words.value("receive", 0) * RECEIVE_STRIDE
                : WRITES_AT + (int) words.value("at", 0);
        for (int i = 0; i < words.value("bytes", 256); i++) {
            assertThat(memory.getByte(begin + i)).as("byte %d", i).isEqualTo((byte) words.value("is", 0));
        }
    }

    private int poll() {
        connection.onWorkRequests(RING, nowNs);
        frame.wrap(sent.addressOffset(), FRAME_BYTES);
        int length = connection.pollTransmit(frame, nowNs);
        if (length > 0) {
            assertThat(parser.parse(sent, 0, length, view)).isEqualTo(ParseResult.OK);
        }
        return length;
    }

    private SlotRing ring() {
        UnsafeBuffer bytes = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SlotRing.bytesFor(RING), 64));
        rings.add(bytes);
        SlotRing.format(bytes.addressOffset(), RING);
        return new SlotRing(bytes.addressOffset(), SlotRing.bytesFor(RING));
    }

    private final class Diary implements ConnectionListener {
        @Override
        public void onReady(int connectionId, int payloadBytes) {
            for (int path = 0; path < settings.paths(); path++) {
                states.putIfAbsent(path, PathState.OPENING.name());
            }
        }

        @Override
        public void onPathChanged(int connectionId, int pathId, PathState to, PathReason reason) {
            states.put(pathId, to.name());
        }
    }
}
