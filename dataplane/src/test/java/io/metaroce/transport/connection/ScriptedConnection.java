// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryKey;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.port.IpAddress;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.congestion.FixedWindow;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import io.metaroce.wire.ProbeFlyweight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection that a script drives: packets and times as text. The script is the peer; it names what it saw ({@code as a})
 * and echoes it later ({@code echo=a}).
 *
 * <pre>
 *   paths 1                                  how many; before anything else
 *   ready                                    opens, and answers the opening probes of every path
 *   at 120us                                 time goes on; timers fire
 *   write 512                                posts a write of so many bytes, of packets of 256
 *   expect data path=0 seq=1 csn=1 count=1 as b
 *   expect probe path=0 any as p             any: ANY_PATH is set
 *   expect nothing
 *   ack path=0 next=1 sack=2,3 echo=b        every number is the script's; csn= next expected, errors= issued
 *   completes 0 SUCCESS
 *   state path=1 DEAD
 * </pre>
 */
final class ScriptedConnection {
    private static final int PAYLOAD_BYTES = 256;
    private static final long ADDRESS = IpAddress.mapped(0x0a000002);
    private static final int FRAME_BYTES = 10_000;

    private final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(1 << 20, 64));
    private final UnsafeBuffer sent = new UnsafeBuffer(BufferUtil.allocateDirectAligned(FRAME_BYTES, 64));
    private final UnsafeBuffer injected = new UnsafeBuffer(BufferUtil.allocateDirectAligned(FRAME_BYTES, 64));
    private final MemoryRegionTable table = new MemoryRegionTable();
    private final SlotRing sendRing = ring();
    private final SlotRing completions = ring();
    private final PacketParser parser = new PacketParser();
    private final PacketView view = new PacketView();
    private final Arrival arrival = new Arrival();
    private final TransmitFrame frame = new TransmitFrame();
    private final Crc32c crc = new Crc32c();
    private final Map<String, Integer> timestamps = new HashMap<>();
    private final Map<Integer, String> states = new HashMap<>();
    private final int key = MemoryKey.of(1, 7);
    private final Connection connection;
    private final int paths;
    private final long startNs = 1_000_000_000;
    private long nowNs = startNs;
    private int posted;

    ScriptedConnection(int paths) {
        this.paths = paths;
        table.install(key, memory.addressOffset(), memory.capacity(), AccessFlags.ALL, 1);
        arrival.set(0, 0, ADDRESS, 2, 0);
        ConnectionSettings settings = new ConnectionSettings(
                11,
                22,
                List.of(new ConnectionSettings.Plane(0, ADDRESS, 0, 4795, 8, 1)),
                paths,
                PAYLOAD_BYTES,
                16,
                1024,
                4,
                1 << 20,
                ConnectionSettings.Limits.SIMULATED,
                1,
                BrokenRule.NONE);
        connection = new Connection(
                settings,
                table,
                (p, i, l) -> new FixedWindow(1 << 20),
                new Diary(),
                ConnectionCounters.inProcess(paths));
        connection.openStream(new StreamSettings(5, 100, 1, sendRing, ring(), completions, completions));
    }

    /** Obeys one line of a script. */
    void obey(String line) {
        Words words = new Words(line);
        switch (words.verb()) {
            case "ready" -> open();
            case "at" -> advance(words);
            case "write" -> write(words.number(1));
            case "expect" -> expect(words);
            case "ack" -> ack(words);
            case "completes" -> assertCompletion(words);
            case "state" -> assertThat(states.get((int) words.value("path", 0))).isEqualTo(words.word(2));
            default -> throw new IllegalArgumentException("no such verb: " + words.verb());
        }
    }

    private void open() {
        connection.open(nowNs);
        int length = poll();
        for (int probes = 0; length > 0; probes++) {
            assertThat(probes).as("opening probes").isLessThan(4 * paths + 4);
            answerProbe();
            length = poll();
        }
    }

    private void answerProbe() {
        assertThat(view.type()).isEqualTo(PacketType.PROBE);
        int path = view.probe().pathId();
        int timestamp = view.probe().timestamp();
        nowNs += 10_000;
        inject(newAck(path, 0, timestamp), AckFlyweight.LENGTH);
    }

    private void advance(Words words) {
        long target = startNs + 1_000_000 + words.nanoseconds(1);
        while (connection.nextDeadlineNs() <= target) {
            nowNs = Math.max(nowNs, connection.nextDeadlineNs());
            connection.onTimer(nowNs);
        }
        nowNs = target;
    }

    private void write(long length) {
        WorkRequestSlot slot = new WorkRequestSlot();
        sendRing.claim(slot);
        slot.id(posted++);
        slot.opcode(WorkRequestOpcode.RDMA_WRITE);
        slot.flags(SendFlags.SIGNALED);
        slot.local(key, memory.addressOffset(), length);
        slot.remote(77, 4096);
        sendRing.publish();
    }

    private void expect(Words words) {
        int length = poll();
        if (words.word(1).equals("nothing")) {
            assertThat(length)
                    .as("the connection sent a packet of type %s", view.type())
                    .isZero();
            return;
        }
        assertThat(length).as("the connection sent nothing").isPositive();
        boolean isData = words.word(1).equals("data");
        assertThat(view.type()).isEqualTo(isData ? PacketType.DATA : PacketType.PROBE);
        if (isData) {
            DataFlyweight data = view.data();
            words.check("path", data.pathId());
            words.check("seq", data.pathSequence());
            words.check("csn", data.connectionSequence());
            words.check("count", data.transmitCount());
            words.check("epoch", data.epoch());
            words.check("bytes", data.payloadLength());
            words.name().ifPresent(name -> timestamps.put(name, data.timestamp()));
        } else {
            ProbeFlyweight probe = view.probe();
            words.check("path", probe.pathId());
            words.check("epoch", probe.epoch());
            assertThat(probe.hasFlag(ProbeFlyweight.FLAG_ANY_PATH)).isEqualTo(words.has("any"));
            words.name().ifPresent(name -> timestamps.put(name, probe.timestamp()));
        }
    }

    private void ack(Words words) {
        int echo = java.util.Objects.requireNonNull(timestamps.get(words.text("echo")), "nothing has that name");
        AckFlyweight ack = newAck((int) words.value("path", 0), (int) words.value("next", 0), echo);
        ack.epoch((int) words.value("epoch", 0));
        ack.nextConnectionSequence((int) words.value("csn", 0));
        ack.errorsIssued((int) words.value("errors", 0));
        ack.duplicates((int) words.value("dups", 0));
        int length = AckFlyweight.LENGTH;
        if (words.has("sack=")) {
            ack.flags(AckFlyweight.FLAG_SACK);
            for (String sequence : words.text("sack").split(",", -1)) {
                int bit = Integer.parseInt(sequence) - (int) words.value("next", 0) - 1;
                ack.sackWord(bit >>> 6, ack.sackWord(bit >>> 6) | Long.MIN_VALUE >>> (bit & 63));
            }
            length += AckFlyweight.SACK_LENGTH;
        }
        inject(ack, length);
    }

    private AckFlyweight newAck(int path, int next, int echo) {
        injected.setMemory(0, 128, (byte) 0);
        AckFlyweight ack = new AckFlyweight();
        ack.wrap(injected, 0);
        ack.versionAndType(PacketType.ACK);
        ack.connectionId(11);
        ack.pathId(path);
        ack.nextPathSequence(next);
        ack.echoedTimestamp(echo);
        return ack;
    }

    private void inject(AckFlyweight ack, int length) {
        assertThat(ack.typeCode()).isEqualTo(PacketType.ACK.code());
        assertThat(parser.parse(injected, 0, crc.seal(injected, length), view)).isEqualTo(ParseResult.OK);
        connection.onPacket(view, arrival, nowNs);
        connection.onReceiveTurnEnd();
    }

    private void assertCompletion(Words words) {
        CompletionSlot slot = new CompletionSlot();
        if (words.word(1).equals("nothing")) {
            assertThat(completions.available()).isZero();
            return;
        }
        assertThat(completions.available()).as("completions").isPositive();
        completions.peek(slot);
        assertThat(slot.id()).isEqualTo(words.number(1));
        assertThat(slot.status()).isEqualTo(CompletionStatus.valueOf(words.word(2)));
        completions.release();
    }

    private int poll() {
        connection.onWorkRequests(16, nowNs);
        frame.wrap(sent.addressOffset(), FRAME_BYTES);
        int length = connection.pollTransmit(frame, nowNs);
        if (length > 0) {
            assertThat(parser.parse(sent, 0, length, view)).isEqualTo(ParseResult.OK);
        }
        return length;
    }

    private static SlotRing ring() {
        UnsafeBuffer bytes = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SlotRing.bytesFor(16), 64));
        KEPT.add(bytes);
        SlotRing.format(bytes.addressOffset(), 16);
        return new SlotRing(bytes.addressOffset(), SlotRing.bytesFor(16));
    }

    private static final List<UnsafeBuffer> KEPT = new java.util.ArrayList<>();

    private final class Diary implements ConnectionListener {
        @Override
        public void onPathChanged(
                int connectionId,
                int pathId,
                io.metaroce.transport.path.PathState to,
                io.metaroce.transport.path.PathReason reason) {
            states.put(pathId, to.name());
        }
    }

    /** The words of one line: a verb, plain words, and {@code name=value}. */
    private record Words(String line) {
        private String[] split() {
            return line.strip().split("\\s+", -1);
        }

        String verb() {
            return split()[0];
        }

        String word(int index) {
            return split()[index];
        }

        long number(int index) {
            return Long.parseLong(word(index));
        }

        long nanoseconds(int index) {
            String text = word(index);
            return text.endsWith("ms")
                    ? Long.parseLong(text.substring(0, text.length() - 2)) * 1_000_000
                    : Long.parseLong(text.substring(0, text.length() - 2)) * 1_000;
        }

        boolean has(String prefix) {
            return java.util.Arrays.stream(split()).anyMatch(word -> word.startsWith(prefix));
        }

        String text(String name) {
            for (String word : split()) {
                if (word.startsWith(name + "=")) {
                    return word.substring(name.length() + 1);
                }
            }
            throw new IllegalArgumentException(name + "= is missing");
        }

        long value(String name, long otherwise) {
            return has(name + "=") ? Long.parseLong(text(name)) : otherwise;
        }

        void check(String name, long actual) {
            if (has(name + "=")) {
                assertThat(actual).as(name).isEqualTo(Long.parseLong(text(name)));
            }
        }

        java.util.Optional<String> name() {
            String[] words = split();
            return words.length > 2 && words[words.length - 2].equals("as")
                    ? java.util.Optional.of(words[words.length - 1])
                    : java.util.Optional.empty();
        }
    }
}
