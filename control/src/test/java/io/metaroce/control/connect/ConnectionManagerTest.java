// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.connect.FakeNetwork.Connecting;
import io.metaroce.control.connect.FakeNetwork.Fate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections come to be, survive their channel, and end. */
class ConnectionManagerTest {
    private final FakeNetwork network = new FakeNetwork();
    private final FakeNetwork.Node server = network.node("server", 1, 11);
    private final FakeNetwork.Node client = network.node("client", 2, 22);

    @Test
    void agreesOnIdsPlanesAndTheSmallerLimits() {
        Connecting connecting = client.connect(server, 1000);
        network.run(10);

        ConnectionAttributes ours = onlyOf(client);
        ConnectionAttributes theirs = onlyOf(server);
        assertThat(ours.remoteId()).isEqualTo(theirs.localId());
        assertThat(theirs.remoteId()).isEqualTo(ours.localId());
        assertThat(ours.planes()).containsExactly(FakeNetwork.plane(1));
        assertThat(theirs.planes()).containsExactly(FakeNetwork.plane(2));
        assertThat(ours.limits()).isEqualTo(theirs.limits());
        assertThat(connecting.session().peerNode()).isEqualTo("server");
        assertThat(connecting.session().ready()).isCompletedWithValue(8192);
        assertThat(connecting.waiting).isEmpty();
    }

    /** B60: a client started before the server gave up at once. */
    @Test
    void waitsForAPeerThatIsNotThereYet() {
        server.isListening = false;
        Connecting connecting = client.connect(server, 10_000);
        network.run(2000);
        assertThat(connecting.waiting).containsExactly("waiting for peer 10.0.0.1:1: connection refused");

        server.isListening = true;
        network.run(1500);

        assertThat(connecting.session().peerNode()).isEqualTo("server");
        assertThat(connecting.waiting).hasSize(1);
    }

    @Test
    void givesUpOnAnAbsentPeerAfterTheTimeoutAndNamesTheLastTrouble() {
        server.isListening = false;
        Connecting connecting = client.connect(server, 300);
        network.run(290);
        assertThat(connecting.failure).isNull();

        network.run(20);

        assertThat(connecting.failure).isEqualTo("no connection to 10.0.0.1:1 in time: connection refused");
        assertThat(client.manager.usedIds()).isZero();
    }

    /** B06: a second request was taken for a new one. */
    @ParameterizedTest
    @ValueSource(strings = {"Hello", "Connect", "Accept", "OpenStream", "AcceptStream"})
    void changesNothingWhenAMessageComesTwice(String doubled) {
        // MOP-CTL-8
        server.services.add("echo", FakeStreams::grant);
        network.faults =
                (from, message) -> message.getClass().getSimpleName().equals(doubled) && !doubled.equals("Hello")
                        ? Fate.DOUBLE
                        : Fate.PASS;

        Connecting connecting = client.connect(server, 1000);
        network.run(10);
        StreamEnd stream = FakeStreams.ask(connecting.session(), "echo");
        network.run(10);

        assertThat(stream.opened).isCompleted();
        assertThat(server.dataplane.connections).hasSize(1);
        assertThat(client.dataplane.connections).hasSize(1);
        assertThat(server.dataplane.streams).hasSize(1);
        assertThat(server.manager.connectionCount()).isEqualTo(1);
    }

    /** B06: the repetition comes late, by another channel, while data flows. */
    @Test
    void answersALateRepetitionWithTheSameConnection() {
        // MOP-CTL-12
        client.connect(server, 1000);
        network.run(10);
        server.dataplane.receivePackets(onlyOf(server).localId(), 100);
        ConnectionAttributes before = onlyOf(server);

        network.breakChannel(network.pipes.get(0));
        network.run(200);

        assertThat(onlyOf(server)).isEqualTo(before);
        assertThat(server.dataplane.packetsReceived(before.localId())).isEqualTo(100);
        assertThat(network.sent.stream().filter("server Accept"::equals)).hasSize(2);
    }

    /** B08: with request and answer both lost, one side stayed half open. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void establishesOneConnectionWhicheverHandshakeMessagesAreLost(int subset) {
        for (int losses = 1; losses <= 3; losses++) {
            FakeNetwork lossy = new FakeNetwork();
            FakeNetwork.Node answering = lossy.node("server", 1, 11);
            FakeNetwork.Node asking = lossy.node("client", 2, 22);
            answering.services.add("echo", FakeStreams::grant);
            int[] left = {(subset & 1) == 0 ? 0 : losses, (subset & 2) == 0 ? 0 : losses, (subset & 4) == 0 ? 0 : losses
            };
            lossy.faults = (from, message) -> {
                int kind = message instanceof ControlMessage.Connect
                        ? 0
                        : message instanceof ControlMessage.Accept
                                ? 1
                                : message instanceof ControlMessage.OpenStream ? 2 : -1;
                return kind >= 0 && left[kind]-- > 0 ? Fate.BREAK : Fate.PASS;
            };

            Connecting connecting = asking.connect(answering, 20_000);
            lossy.run(4000);
            StreamEnd stream = FakeStreams.ask(connecting.session(), "echo");
            lossy.run(4000);

            assertThat(stream.opened).as("subset %d, %d losses", subset, losses).isCompleted();
            assertThat(answering.dataplane.connections).hasSize(1);
            assertThat(asking.dataplane.connections).hasSize(1);
            assertThat(answering.dataplane.streams).hasSize(1);
        }
    }

    /** B08, the other half: who never hears the answer gives up, and nothing stays on either side. */
    @Test
    void leavesNothingHalfOpenWhenTheAnswerNeverArrives() {
        // MOP-CTL-13
        network.faults = (from, message) -> message instanceof ControlMessage.Accept ? Fate.BREAK : Fate.PASS;

        Connecting connecting = client.connect(server, 2000);
        network.run(8000);

        assertThat(connecting.failure).contains("in time: connection reset");
        assertThat(client.dataplane.connections).isEmpty();
        assertThat(server.dataplane.connections).isEmpty();
        assertThat(server.manager.usedIds() + client.manager.usedIds()).isZero();
    }

    @Test
    void keepsTheConnectionWhileDataFlowsWithoutItsChannel() {
        // MOP-CTL-19
        Session session = connectWithStream();
        server.isListening = false;
        network.breakChannel(network.pipes.get(0));

        for (int i = 0; i < 60; i++) {
            server.isListening = i > 30;
            network.run(1000);
            client.dataplane.receivePackets(session.localId(), 1);
            server.dataplane.receivePackets(onlyOf(server).localId(), 1);
        }

        assertThat(session.closed()).isNotDone();
        FakeStreams.ask(session, "echo");
        network.run(10);
        assertThat(server.dataplane.streams).hasSize(2);
    }

    @Test
    void givesAConnectionUpWhenChannelAndDataAreBothSilent() {
        Session session = connectWithStream();
        server.isListening = false;
        network.breakChannel(network.pipes.get(0));
        network.run(6000);

        assertThat(session.closed().join()).contains("the control channel was lost and no packet arrived for 5000 ms");
        assertThat(server.dataplane.connections).isEmpty();
        assertThat(client.dataplane.connections).isEmpty();
    }

    @Test
    void noticesARestartedServerAtOnce() {
        // MOP-CTL-7
        Session session = connectWithStream();
        network.breakChannel(network.pipes.get(0));
        FakeNetwork.Node reborn = network.node("server", 1, 12);
        network.run(150);

        assertThat(session.closed().join()).contains("the connection has ended here");
        assertThat(client.dataplane.connections).isEmpty();
        assertThat(reborn.dataplane.connections).isEmpty();
    }

    @Test
    void noticesARestartedClientAtOnce() {
        connectWithStream();
        network.breakChannel(network.pipes.get(0));
        int before = onlyOf(server).localId();
        FakeNetwork.Node reborn = network.node("client", 2, 23);
        reborn.connect(server, 1000);
        network.settle();

        assertThat(onlyOf(server).localId()).isNotEqualTo(before);
    }

    @Test
    void tellsThePeerWhyItCloses() {
        // MOP-CTL-21
        Session session = connectWithStream();
        session.close("test over");
        network.run(10);

        assertThat(session.closed()).isCompletedWithValue("test over");
        assertThat(server.dataplane.connections).isEmpty();
        assertThat(server.manager.usedIds() + client.manager.usedIds()).isZero();
        assertThat(server.manager.channelCount() + client.manager.channelCount())
                .isZero();
    }

    @Test
    void tellsThePeerThatTheDataplaneLostTheConnection() {
        Session session = connectWithStream();
        client.dataplane.lose(session.localId(), "the peer has been silent");
        network.run(10);

        assertThat(session.closed()).isCompletedWithValue("the peer has been silent");
        assertThat(server.dataplane.connections).isEmpty();
        assertThat(client.manager.counters().get(ControlCounter.CONNECTIONS_LOST))
                .isEqualTo(1);
    }

    /** B108: ids ran out without a usable error. */
    @Test
    void namesTheLimitWhenConnectionsRunOutAndLosesNoneOverTenCycles() {
        FakeNetwork small = new FakeNetwork();
        FakeNetwork.Node limited = small.node("server", 1, 11, FakeNetwork.settings(3), FakeNetwork.plane(1));
        FakeNetwork.Node many = small.node("client", 2, 22);
        for (int cycle = 0; cycle < 10; cycle++) {
            List<Connecting> opened =
                    List.of(many.connect(limited, 1000), many.connect(limited, 1000), many.connect(limited, 1000));
            Connecting tooMany = many.connect(limited, 1000);
            small.run(10);
            assertThat(tooMany.failure)
                    .isEqualTo(
                            "10.0.0.1:1 refused: all 3 connections are in use (3 open; transport.connections_max = 3)");

            opened.get(0).session().close("room");
            small.run(10);
            Connecting next = many.connect(limited, 1000);
            small.run(10);
            next.session().close("done");
            opened.get(1).session().close("done");
            opened.get(2).session().close("done");
            small.run(10);
            assertThat(limited.manager.usedIds() + many.manager.usedIds()).isZero();
        }
    }

    @Test
    void passesTheRefusalOfTheLaneOn() {
        server.dataplane.refusal = "the lane has stopped";
        Connecting connecting = client.connect(server, 1000);
        network.run(10);

        assertThat(connecting.failure).isEqualTo("10.0.0.1:1 refused: the lane has stopped");
        assertThat(server.manager.usedIds()).isZero();
    }

    @Test
    void givesTheConnectionBackWhenOurOwnLaneRefuses() {
        client.dataplane.refusal = "the lane holds as many connections as its settings permit";
        Connecting connecting = client.connect(server, 1000);
        network.run(10);

        assertThat(connecting.failure).contains("the lane holds as many");
        assertThat(server.dataplane.connections).isEmpty();
        assertThat(server.manager.usedIds() + client.manager.usedIds()).isZero();
    }

    @Test
    void tellsPeersWhichPlanesAreDown() {
        Session session = connectWithStream();
        server.dataplane.planeLink(0, false);
        network.run(10);
        assertThat(client.dataplane.peerPlanes).containsEntry(session.localId(), 0);

        server.dataplane.planeLink(0, true);
        network.run(10);
        assertThat(client.dataplane.peerPlanes).containsEntry(session.localId(), 1);
    }

    @Test
    void takesNothingNewWhileItDrains() {
        // MOP-CTL-20
        Session session = connectWithStream();
        server.manager.drain("maintenance");
        network.run(10);

        assertThat(session.closed()).isNotDone();
        assertThat(client.connect(server, 200).failure).isNull();
        Connecting late = client.connect(server, 200);
        network.run(50);
        assertThat(late.failure).contains("this host is shutting down");

        server.manager.closeAll("maintenance", network.nowNs);
        network.run(10);
        assertThat(session.closed().join()).contains("maintenance");
        assertThat(server.manager.connectionCount()).isZero();
    }

    private Session connectWithStream() {
        server.services.add("echo", FakeStreams::grant);
        Connecting connecting = client.connect(server, 1000);
        network.run(10);
        FakeStreams.ask(connecting.session(), "echo");
        network.run(10);
        assertThat(server.dataplane.streams).hasSize(1);
        return connecting.session();
    }

    private static ConnectionAttributes onlyOf(FakeNetwork.Node node) {
        assertThat(node.dataplane.connections).hasSize(1);
        return node.dataplane.connections.values().iterator().next();
    }
}
