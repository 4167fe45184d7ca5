// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.port.Ecn;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A receiver by the letter of the specification and without any of its cleverness: sets of everything that arrived. It says
 * what a right receiver counts, what stands in its memory, and what each of its ACKs says. For captures too short for a
 * sequence to wrap.
 */
final class ReceiveModel {
    private static final int EPOCHS_NEWER_MAX = 127;

    /** What arrived on one path in its present epoch. */
    private static final class PathModel {
        private final TreeSet<Integer> sequences = new TreeSet<>();
        private int epoch;
        private int received;
        private int duplicates;
        private int marked;
        private int echo;
    }

    private final SortedMap<Integer, PathModel> paths = new TreeMap<>();
    private final TreeSet<Integer> contents = new TreeSet<>();
    private final byte[] region = new byte[Plan.REGION_BYTES];
    private final List<String> violations = new ArrayList<>();
    private final SortedMap<String, Long> counts = new TreeMap<>();

    /** Takes a packet toward the receiver. */
    void onInbound(PacketView packet, int ecn) {
        count("inbound");
        switch (packet.type()) {
            case DATA -> onData(packet, ecn == Ecn.CE);
            case PROBE -> {
                count("probes");
                PathModel path = path(packet.probe().pathId());
                if (isCurrent(path, packet.probe().epoch())) {
                    path.echo = packet.probe().timestamp();
                }
            }
            default -> count("control");
        }
    }

    /** Judges a packet of the receiver: an ACK must say exactly what has arrived. */
    void onOutbound(PacketView packet, String whose) {
        if (packet.type() != PacketType.ACK) {
            return;
        }
        AckFlyweight ack = packet.ack();
        PathModel path = path(ack.pathId());
        int next = missing(path.sequences);
        String what =
                whose + " ACK of path " + ack.pathId() + " after " + counts.getOrDefault("inbound", 0L) + " packets: ";
        expect(what + "epoch", path.epoch, ack.epoch());
        expect(what + "next", next, ack.nextPathSequence());
        expect(what + "received", path.received, ack.receivedPackets());
        expect(what + "duplicates", path.duplicates, ack.duplicates());
        expect(what + "marked", path.marked, ack.cePackets());
        expect(what + "echo", path.echo, ack.echoedTimestamp());
        expect(what + "next content", missing(contents), ack.nextConnectionSequence());
        expect(what + "errors", 0, ack.errorsIssued());
        boolean hasSack = ack.hasFlag(AckFlyweight.FLAG_SACK);
        expect(what + "a hole", path.sequences.tailSet(next).isEmpty() ? 0 : 1, hasSack ? 1 : 0);
        for (int bit = 0; hasSack && bit < AckFlyweight.SACK_BITS; bit++) {
            boolean isThere = path.sequences.contains(next + 1 + bit);
            expect(what + "SACK bit " + bit, isThere ? 1 : 0, ack.isSacked(bit) ? 1 : 0);
        }
    }

    List<String> violations() {
        return violations;
    }

    byte[] region() {
        return region;
    }

    /** What was counted, and where each path stands: the lines of an expectation file. */
    SortedMap<String, Long> facts() {
        SortedMap<String, Long> facts = new TreeMap<>(counts);
        facts.put("contents", (long) contents.size());
        paths.forEach((id, path) -> {
            facts.put("path." + id + ".epoch", (long) path.epoch);
            facts.put("path." + id + ".next", (long) missing(path.sequences));
            facts.put("path." + id + ".received", (long) path.received);
        });
        return facts;
    }

    private void onData(PacketView packet, boolean isMarked) {
        DataFlyweight data = packet.data();
        count("data");
        count("retransmitted", data.hasFlag(DataFlyweight.FLAG_RETRANSMIT) ? 1 : 0);
        count("marked", isMarked ? 1 : 0);
        PathModel path = path(data.pathId());
        if (!isCurrent(path, data.epoch())) {
            count("oldEpoch");
            take(packet);
            return;
        }
        path.received++;
        path.marked += isMarked ? 1 : 0;
        path.echo = data.timestamp();
        boolean isOutOfOrder = data.pathSequence() != missing(path.sequences);
        if (!path.sequences.add(data.pathSequence())) {
            path.duplicates++;
            count("pathDuplicates");
            return;
        }
        count("outOfOrder", isOutOfOrder ? 1 : 0);
        take(packet);
    }

    /** Places a content the first time it arrives. */
    private void take(PacketView packet) {
        if (!contents.add(packet.data().connectionSequence())) {
            count("contentDuplicates");
            return;
        }
        int length = packet.data().payloadLength();
        count("payloadBytes", length);
        long target = packet.opcode().placesByAddress()
                ? packet.write().remoteAddress() - Plan.BASE
                : Plan.receiveOffset(packet.data().streamId(), packet.send().receiveNumber())
                        + packet.send().messageOffset();
        if (length > 0) {
            new UnsafeBuffer(packet.payloadAddress(), length).getBytes(0, region, (int) target, length);
        }
    }

    private boolean isCurrent(PathModel path, int epoch) {
        int distance = (epoch - path.epoch) & 0xff;
        if (distance >= 1 && distance <= EPOCHS_NEWER_MAX) {
            path.epoch = epoch;
            path.sequences.clear();
            path.received = 0;
            path.duplicates = 0;
            path.marked = 0;
        }
        return distance <= EPOCHS_NEWER_MAX;
    }

    private PathModel path(int id) {
        return paths.computeIfAbsent(id, unused -> new PathModel());
    }

    /** The lowest number from 0 that is not in the set. */
    private static int missing(Set<Integer> numbers) {
        int next = 0;
        while (numbers.contains(next)) {
            next++;
        }
        return next;
    }

    private void expect(String what, int expected, int actual) {
        if (expected != actual) {
            violations.add(what + " should be " + expected + ", is " + actual);
        }
    }

    private void count(String what) {
        count(what, 1);
    }

    private void count(String what, long amount) {
        counts.merge(what, amount, Long::sum);
    }
}
