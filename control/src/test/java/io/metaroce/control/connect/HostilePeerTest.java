// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.connect.FakeNetwork.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A peer that breaks the protocol harms nobody but itself. */
class HostilePeerTest {
    private final FakeNetwork network = new FakeNetwork();
    private final FakeNetwork.Node server = network.node("server", 1, 11);
    private final FakeNetwork.Node stranger = network.node("stranger", 2, 22);

    private static final ControlMessage.Hello HELLO = new Identity("stranger", 5).hello();

    private Pipe open() {
        Pipe pipe = network.pipe(stranger, server);
        server.manager.onChannelAccepted(Objects.requireNonNull(pipe.other), network.nowNs);
        return pipe;
    }

    @Test
    void wantsHelloFirst() {
        // MOP-CTL-5
        Pipe pipe = open();
        pipe.send(new ControlMessage.Connect(1, false, Messages.OFFER));
        network.run(10);

        assertThat(Objects.requireNonNull(pipe.other).isClosed).isTrue();
        assertThat(server.manager.counters().get(ControlCounter.PROTOCOL_ERRORS))
                .isEqualTo(1);
        assertThat(server.dataplane.connections).isEmpty();
    }

    @Test
    void namesTheVersionsWhenTheyDiffer() {
        // MOP-CTL-6
        FakeNetwork.Connecting connecting = stranger.connect(server, 1000);
        network.faults = (from, message) -> FakeNetwork.Fate.PASS;
        network.settle();
        assertThat(connecting.session()).isNotNull();

        Pipe pipe = open();
        pipe.sendRaw(
                "{\"type\":\"HELLO\",\"version\":9,\"profile\":\"MOP/9\",\"x\":1}".getBytes(StandardCharsets.UTF_8));
        network.run(10);
        assertThat(Objects.requireNonNull(pipe.other).isClosed).isTrue();
        assertThat(Identity.mismatch(new ControlMessage.Hello(9, "MOP/9", List.of(), 0, "")))
                .isEqualTo(
                        "versions differ: one side speaks control protocol 9 with profile MOP/9, the other 1 with MOP/1");
    }

    @Test
    void closesAChannelThatTakesTooLong() {
        // MOP-CTL-4
        Pipe silent = open();
        network.run(4900);
        assertThat(Objects.requireNonNull(silent.other).isClosed).isFalse();

        network.run(200);

        assertThat(Objects.requireNonNull(silent.other).isClosed).isTrue();
        assertThat(server.manager.counters().get(ControlCounter.HANDSHAKES_TIMED_OUT))
                .isEqualTo(1);
        assertThat(server.manager.channelCount()).isZero();
    }

    @Test
    void holdsABoundedNumberOfHandshakesAndStillServesOnceTheyAreOver() {
        for (int i = 0; i < 1000; i++) {
            open();
        }
        assertThat(server.manager.handshakeCount()).isEqualTo(64);
        assertThat(server.manager.counters().get(ControlCounter.HANDSHAKES_REJECTED))
                .isEqualTo(936);

        FakeNetwork.Connecting patient = stranger.connect(server, 20_000);
        network.run(8000);
        assertThat(patient.session()).isNotNull();
    }

    /** MOP-SEC-12: nobody can have us send to a third host. */
    @Test
    void refusesAnOfferWithAnAddressThatIsNotPermitted() {
        FakeNetwork.Node careful = network.node(
                "careful",
                3,
                33,
                new ManagerSettings(
                        Messages.LIMITS,
                        4,
                        4,
                        1_000_000_000L,
                        1_000_000_000L,
                        0,
                        List.of(),
                        AddressFilter.parse("192.0.2.0/24")),
                FakeNetwork.plane(3));
        FakeNetwork.Connecting connecting = stranger.connect(careful, 1000);
        network.run(10);

        assertThat(connecting.failure)
                .isEqualTo("10.0.0.1:3 refused: address 10.0.0.1 is not permitted here (control.peers)");
        assertThat(careful.dataplane.connections).isEmpty();
        assertThat(careful.manager.usedIds()).isZero();
    }

    @Test
    void losesTheConnectionOfAPeerThatBreaksTheProtocol() {
        // MOP-CTL-2
        stranger.connect(server, 1000);
        network.run(10);
        Pipe pipe = network.pipes.get(0);
        pipe.send(new ControlMessage.OpenStream(1, "echo", 1, Messages.data()));
        network.run(10);

        assertThat(server.dataplane.connections).isEmpty();
        assertThat(stranger.dataplane.connections).isEmpty();
        assertThat(server.manager.usedIds()).isZero();
    }

    /** Any sequence of well-formed messages, in any order, from a stranger and inside a connection. */
    @Property(tries = 300)
    void staysWholeUnderAnySequenceOfMessages(@ForAll long seed) {
        Random random = new Random(seed);
        FakeNetwork fresh = new FakeNetwork();
        FakeNetwork.Node target = fresh.node("server", 1, 11);
        FakeNetwork.Node hostile = fresh.node("hostile", 2, 22);
        FakeNetwork.Node innocent = fresh.node("innocent", 3, 33);
        target.services.add("perf", FakeStreams::grant);
        FakeNetwork.Connecting good = innocent.connect(target, 1000);
        fresh.settle();

        Pipe pipe = fresh.pipe(hostile, target);
        target.manager.onChannelAccepted(Objects.requireNonNull(pipe.other), fresh.nowNs);
        if (random.nextInt(4) > 0) {
            pipe.send(HELLO);
        }
        if (random.nextInt(4) > 0) {
            pipe.send(new ControlMessage.Connect(1, false, oneplane()));
        }
        for (int i = 0; i < 20; i++) {
            pipe.send(Messages.ALL.get(random.nextInt(Messages.ALL.size())));
            if (random.nextInt(10) == 0) {
                fresh.run(5);
            }
        }
        fresh.breakChannel(pipe);
        fresh.run(12_000);

        assertThat(good.session().closed()).as("seed %d", seed).isNotDone();
        assertThat(target.manager.connectionCount()).isEqualTo(1);
        assertThat(target.manager.usedIds()).isEqualTo(1);
        assertThat(target.manager.channelCount()).isEqualTo(1);
    }

    private static Offer oneplane() {
        return new Offer(9, List.of(FakeNetwork.plane(2)), Messages.LIMITS, 0, List.of("WRITE"), Offer.CRC32C);
    }
}
