// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.Syndrome;
import java.util.Objects;

/** Compares a packet that the connection sent with what a line of a script expects. */
final class Expectations {
    private final PacketView view;
    private final TransmitFrame frame;
    private final ScriptedPeer peer;

    Expectations(PacketView view, TransmitFrame frame, ScriptedPeer peer) {
        this.view = view;
        this.frame = frame;
        this.peer = peer;
    }

    /**
     * @param nth 0 for the first packet of the line; path and connection sequence rise with it
     */
    void check(Words words, int nth) {
        assertThat(view.type()).isEqualTo(typeOf(words.word(1)));
        words.check("plane", frame.plane());
        words.check("entropy", frame.sourcePortIndex());
        switch (view.type()) {
            case DATA -> data(words, nth);
            case PROBE -> probe(words);
            case ACK -> ack(words);
            case CREDIT -> {
                words.check("stream", view.credit().streamId(0));
                words.checkSequence("limit", view.credit().limit(0), 0);
            }
            case CREDIT_REQUEST -> {
                words.check("stream", view.creditRequest().streamId());
                words.checkSequence("limit", view.creditRequest().knownLimit(), 0);
            }
            case PLANE_STATUS -> {
                words.checkSequence("sequence", view.planeStatus().sequence(), 0);
                words.check("mask", view.planeStatus().planes());
            }
        }
    }

    /** The packet's type and the fields that tell it from others. */
    String describe() {
        return switch (view.type()) {
            case DATA ->
                "data path=" + view.data().pathId() + " epoch=" + view.data().epoch() + " seq="
                        + view.data().pathSequence()
                        + " csn=" + view.data().connectionSequence() + " count="
                        + view.data().transmitCount();
            case PROBE ->
                "probe path=" + view.probe().pathId() + " epoch=" + view.probe().epoch();
            case ACK ->
                "ack path=" + view.ack().pathId() + " epoch=" + view.ack().epoch() + " next="
                        + view.ack().nextPathSequence();
            case CREDIT, CREDIT_REQUEST, PLANE_STATUS -> view.type().toString();
        };
    }

    private static PacketType typeOf(String word) {
        return PacketType.valueOf(word.replace('-', '_').toUpperCase(java.util.Locale.ROOT));
    }

    private void data(Words words, int nth) {
        DataFlyweight data = view.data();
        words.check("path", data.pathId());
        words.check("epoch", data.epoch());
        words.checkSequence("seq", data.pathSequence(), nth);
        words.checkSequence("csn", data.connectionSequence(), nth);
        words.checkSequence("msn", data.messageSequence(), 0);
        words.check("count", data.transmitCount());
        words.check("stream", data.streamId());
        words.check("bytes", data.payloadLength());
        if (words.has("again") || words.has("first")) {
            words.checkFlag("again", data.hasFlag(DataFlyweight.FLAG_RETRANSMIT));
        }
        if (words.has("asks")) {
            words.checkFlag("asks", data.hasFlag(DataFlyweight.FLAG_ACK_REQUEST));
        }
        Opcode opcode = Objects.requireNonNull(view.opcode());
        if (words.sets("op")) {
            assertThat(opcode).isEqualTo(Opcode.valueOf(words.text("op")));
        }
        if (words.sets("syndrome")) {
            assertThat(Syndrome.of(view.error().syndrome())).isEqualTo(Syndrome.valueOf(words.text("syndrome")));
        }
        if (words.sets("receive")) {
            words.checkSequence(
                    "receive",
                    opcode.placesByAddress()
                            ? view.write().receiveNumber()
                            : view.send().receiveNumber(),
                    0);
        }
        peer.remember(words.name(), data.timestamp());
    }

    private void probe(Words words) {
        ProbeFlyweight probe = view.probe();
        words.check("path", probe.pathId());
        words.check("epoch", probe.epoch());
        words.checkFlag("any", probe.hasFlag(ProbeFlyweight.FLAG_ANY_PATH));
        if (words.has("padded")) {
            words.checkFlag("padded", probe.paddingLength() > 0);
        }
        peer.remember(words.name(), probe.timestamp());
    }

    private void ack(Words words) {
        AckFlyweight ack = view.ack();
        words.check("path", ack.pathId());
        words.check("epoch", ack.epoch());
        words.checkSequence("next", ack.nextPathSequence(), 0);
        words.checkSequence("csn", ack.nextConnectionSequence(), 0);
        words.check("received", ack.receivedPackets());
        words.check("dups", ack.duplicates());
        words.check("ce", ack.cePackets());
        words.check("errors", ack.errorsIssued());
        words.check("count", ack.echoedTransmitCount());
        words.checkFlag("detour", ack.hasFlag(AckFlyweight.FLAG_DETOUR));
        if (words.sets("echo")) {
            assertThat(ack.echoedTimestamp()).as("echo").isEqualTo(peer.timestampOf(words.text("echo")));
        }
        if (words.sets("limit")) {
            assertThat(ack.hasFlag(AckFlyweight.FLAG_CREDIT)).as("CREDIT").isTrue();
            words.checkSequence("limit", ack.creditLimit(), 0);
        }
        sack(words, ack);
    }

    /** The vector is there exactly if the line names what is in it, and then says exactly that. */
    private static void sack(Words words, AckFlyweight ack) {
        assertThat(ack.hasFlag(AckFlyweight.FLAG_SACK)).as("SACK").isEqualTo(words.sets("sack"));
        if (!words.sets("sack")) {
            return;
        }
        boolean[] expected = new boolean[AckFlyweight.SACK_BITS];
        for (int sequence : words.sequences("sack")) {
            expected[sequence - ack.nextPathSequence() - 1] = true;
        }
        for (int bit = 0; bit < expected.length; bit++) {
            assertThat(ack.isSacked(bit)).as("bit %d of the vector", bit).isEqualTo(expected[bit]);
        }
    }
}
