// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.harness.compliance.Case.Condition;
import io.metaroce.harness.compliance.Case.Step;
import io.metaroce.wire.Layout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Makes the packets of a script: what a line does not say is what a conformant sender would send next. */
final class PacketMaker {
    private static final Set<String> NOT_FIELDS = Set.of(
            "payload", "fill", "tos", "corrupt", "append", "cut", "credit", "repeat", "sack", "at", "length", "offset");
    private static final Set<String> CONSUMING = Set.of("SEND", "SEND_IMM", "SEND_INV", "WRITE_IMM");
    private static final List<String> COMMANDS = List.of("NONE", "WRITE", "WRITE_IMM", "SEND", "SEND_IMM", "READBACK");

    private final Peer peer;
    private final Map<Long, Long> nextSequences = new HashMap<>();
    private long epoch;
    private long nextCsn;
    private long nextMsn;
    private long nextReceive;

    PacketMaker(Peer peer) {
        this.peer = peer;
    }

    long epoch() {
        return epoch;
    }

    Packet make(Step step) {
        Packet packet = new Packet(step.words().get(1));
        for (Condition condition : step.conditions()) {
            String field = condition.name();
            if (!NOT_FIELDS.contains(field) || (field.equals("length") && packet.name.equals("READ_REQUEST"))) {
                packet.fields.put(
                        field,
                        field.equals("flags")
                                ? peer.names.flags(packet.name, condition.value())
                                : peer.names.value(condition.value()));
            }
        }
        body(packet, step);
        complete(packet);
        return packet;
    }

    private void body(Packet packet, Step step) {
        int length = (int) peer.names.value(step.value("payload", "0"));
        if (step.has("credit")) {
            String[] entries = step.value("credit", "").split(",", -1);
            ByteBuffer body = ByteBuffer.allocate(8 * entries.length);
            for (String entry : entries) {
                String[] pair = entry.split(":", -1);
                body.putShort((short) peer.names.value(pair[0]))
                        .putShort((short) 0)
                        .putInt((int) peer.names.value(pair[1]));
            }
            packet.body = body.array();
            packet.fields.putIfAbsent("entries", (long) entries.length);
        } else if (step.has("sack")) {
            packet.body = new byte[Packet.SACK_BYTES];
            packet.fields.merge("flags", 1L, (a, b) -> a | b);
            for (String sequence : step.value("sack", "").split(",", -1)) {
                int bit = (int) (peer.names.value(sequence) - packet.get("next-expected-path-sequence") - 1);
                packet.body[bit >> 3] |= (byte) (0x80 >> (bit & 7));
            }
        } else {
            packet.body = new byte[length];
            Arrays.fill(packet.body, (byte) peer.names.value(step.value("fill", "0")));
        }
    }

    /** Everything that was not said. */
    private void complete(Packet packet) {
        peer.fill(packet);
        Map<String, Long> fields = packet.fields;
        if (packet.name.equals("PROBE")) {
            fields.putIfAbsent("padding-length", (long) packet.body.length);
        }
        if (!packet.name.equals("ACK")) {
            fields.computeIfAbsent("transmit-timestamp", any -> peer.timestamp() & 0xffff_ffffL);
        }
        if (fields.containsKey("epoch") && !packet.name.equals("ACK")) {
            epoch = Math.max(epoch, fields.get("epoch"));
        }
        if (!Packet.isOperation(packet.name)) {
            fields.putIfAbsent("flags", 0L);
            return;
        }
        fields.putIfAbsent("epoch", epoch);
        fields.putIfAbsent("path-id", 0L);
        Layout layout = Packet.layout(packet.name);
        fields.putIfAbsent("opcode", layout == null ? 0L : (long) Packet.opcode(layout));
        fields.putIfAbsent("payload-length", (long) packet.body.length);
        fields.putIfAbsent("transmit-count", 1L);
        fields.putIfAbsent("stream-id", 0L);
        long path = fields.get("path-id") << 8 | fields.get("epoch");
        long sequence = fields.computeIfAbsent("path-sequence", any -> nextSequences.getOrDefault(path, 0L));
        nextSequences.merge(path, sequence + 1, Math::max);
        nextCsn = Math.max(nextCsn, fields.computeIfAbsent("connection-sequence", any -> nextCsn) + 1);
        nextMsn = Math.max(nextMsn, fields.computeIfAbsent("message-sequence", any -> nextMsn) + 1);
        if (CONSUMING.contains(packet.name)) {
            nextReceive = Math.max(nextReceive, fields.computeIfAbsent("receive-number", any -> nextReceive) + 1);
        }
        boolean isWhole = !fields.containsKey("message-length") || fields.get("message-length") == packet.body.length;
        fields.putIfAbsent("message-length", (long) packet.body.length);
        fields.putIfAbsent("flags", isWhole ? 4L : 0L);
        if (packet.name.startsWith("WRITE")) {
            fields.computeIfAbsent("remote-address", any -> peer.names.value("region"));
            fields.computeIfAbsent("rkey", any -> peer.names.value("rkey"));
        }
    }

    /** A message to the responder: 32 bytes, as {@code docs/compliance.md} says. */
    Packet command(Step step) {
        boolean isReadback = step.verb().equals("readback");
        String operation = isReadback ? "READBACK" : step.words().get(1).toUpperCase(Locale.ROOT);
        Packet packet = new Packet("SEND");
        ByteBuffer body = ByteBuffer.allocate(ResponderStream.COMMAND_BYTES);
        body.put((byte) Math.max(0, COMMANDS.indexOf(operation)));
        body.put((byte) (isReadback ? 0 : peer.names.value(step.value("fill", "0"))));
        body.putShort((short) peer.names.value(step.value("repeat", "1")));
        body.putInt((int) peer.names.value(step.value("length", "64")));
        body.putLong(peer.names.value(step.value("remote-address", "0x1000")));
        body.putInt((int) peer.names.value(step.value("rkey", "0x77")));
        body.putInt((int) peer.names.value(step.value(isReadback ? "at" : "offset", "0")));
        packet.body = body.array();
        complete(packet);
        return packet;
    }
}
