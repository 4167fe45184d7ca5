// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.metaroce.control.connect.FakeNetwork.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Streams inside a connection. */
class StreamsTest {
    private final FakeNetwork network = new FakeNetwork();
    private final FakeNetwork.Node server = network.node("server", 1, 11);
    private final FakeNetwork.Node client = network.node("client", 2, 22);
    private final Session session = connect();

    private Session connect() {
        FakeNetwork.Connecting connecting = client.connect(server, 1000);
        network.run(10);
        return connecting.session();
    }

    @Test
    void bringsPrivateDataAndQueuePairsToBothSides() {
        List<IncomingStream> asked = new ArrayList<>();
        server.services.add("echo", stream -> {
            asked.add(stream);
            return FakeStreams.grant(stream);
        });
        StreamEnd stream = FakeStreams.ask(session, "echo");
        network.run(10);

        assertThat(stream.opened).isCompletedWithValue(stream);
        assertThat(stream.peerData()).isEqualTo(TextNode.valueOf("granted echo"));
        assertThat(stream.peerQueuePair()).isEqualTo(7);
        assertThat(asked.get(0).peerQueuePair()).isEqualTo(7);
        assertThat(asked.get(0).connection().peerNode()).isEqualTo("client");
    }

    /** The peer's first packet may come before its answer is read. */
    @Test
    void hasItsOwnEndInTheLaneBeforeThePeerHearsOfTheStream() {
        // MOP-CTL-16, MOP-STR-40
        server.services.add("echo", stream -> {
            assertThat(client.dataplane.streams).hasSize(1);
            assertThat(server.dataplane.streams).isEmpty();
            return FakeStreams.grant(stream);
        });
        FakeStreams.ask(session, "echo");
        network.run(10);

        assertThat(server.dataplane.streams).hasSize(1);
    }

    @Test
    void takesEvenNumbersWhereItOpenedTheConnectionAndOddOnesWhereNot() {
        // MOP-CTL-15
        server.services.add("a", FakeStreams::grant);
        client.services.add("b", FakeStreams::grant);
        Session back = Objects.requireNonNull(server.manager.session(
                server.dataplane.connections.keySet().iterator().next()));

        assertThat(List.of(
                        FakeStreams.ask(session, "a").id(),
                        FakeStreams.ask(session, "a").id()))
                .containsExactly(0, 2);
        assertThat(List.of(
                        FakeStreams.ask(back, "b").id(),
                        FakeStreams.ask(back, "b").id()))
                .containsExactly(1, 3);
        network.run(10);
        assertThat(client.dataplane.streams).hasSize(4);
        assertThat(server.dataplane.streams).hasSize(4);
    }

    @Test
    void namesAServiceThatIsNotThere() {
        StreamEnd stream = FakeStreams.ask(session, "perf");
        network.run(10);

        assertThat(FakeStreams.failureOf(stream))
                .isEqualTo("10.0.0.1:1 refused service \"perf\": no service \"perf\" here");
        assertThat(client.dataplane.streams).isEmpty();
        assertThat(session.streamCount()).isZero();
    }

    @Test
    void passesTheReasonOfTheServiceOn() {
        server.services.add("perf", stream -> {
            stream.accept(FakeStreams.QUEUES);
            throw new ConnectFailure("sizes differ: 64 there, 128 here");
        });
        StreamEnd stream = FakeStreams.ask(session, "perf");
        network.run(10);

        assertThat(FakeStreams.failureOf(stream)).contains("sizes differ: 64 there, 128 here");
        assertThat(server.dataplane.streams).isEmpty();
    }

    @Test
    void survivesAServiceThatThrowsOrGivesNoQueues() {
        server.services.add("broken", stream -> {
            throw new IllegalStateException("bug");
        });
        server.services.add("empty", stream -> NullNode.getInstance());
        StreamEnd broken = FakeStreams.ask(session, "broken");
        StreamEnd empty = FakeStreams.ask(session, "empty");
        network.run(10);

        assertThat(FakeStreams.failureOf(broken)).contains("the service failed");
        assertThat(FakeStreams.failureOf(empty)).contains("the service gave no queues");
        assertThat(session.closed()).isNotDone();
    }

    @Test
    void endsAtBothSidesWhenEitherCloses() {
        // MOP-CTL-17, MOP-STR-41
        List<OpenedStream> atServer = new ArrayList<>();
        server.services.add("echo", stream -> {
            atServer.add(stream.accept(FakeStreams.QUEUES));
            return NullNode.getInstance();
        });
        StreamEnd first = FakeStreams.ask(session, "echo");
        StreamEnd second = FakeStreams.ask(session, "echo");
        network.run(10);

        first.close();
        atServer.get(1).close();
        network.run(10);

        assertThat(first.closed()).isCompletedWithValue("closed");
        assertThat(atServer.get(0).closed()).isCompletedWithValue("closed by the peer: closed");
        assertThat(second.closed()).isCompletedWithValue("closed by the peer: closed");
        assertThat(client.dataplane.streams).isEmpty();
        assertThat(server.dataplane.streams).isEmpty();
    }

    @Test
    void closesTheStreamsWhenTheConnectionEnds() {
        server.services.add("echo", FakeStreams::grant);
        StreamEnd stream = FakeStreams.ask(session, "echo");
        StreamEnd pending = FakeStreams.ask(session, "echo");
        session.close("over");
        network.run(10);

        assertThat(stream.closed()).isCompletedWithValue("over");
        assertThat(FakeStreams.failureOf(pending)).isEqualTo("over");
        assertThatThrownBy(() -> session.streams().ask("echo", NullNode.getInstance(), FakeStreams.QUEUES))
                .hasMessageContaining("has ended");
    }

    /** B108 for streams. */
    @Test
    void namesTheLimitWhenStreamsRunOut() throws Exception {
        server.services.add("echo", FakeStreams::grant);
        List<StreamEnd> streams = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            streams.add(FakeStreams.ask(session, "echo"));
            network.settle();
        }
        assertThatThrownBy(() -> session.streams().ask("echo", NullNode.getInstance(), FakeStreams.QUEUES))
                .isInstanceOf(ConnectFailure.class)
                .hasMessageContaining("all 64 streams", "transport.streams_max");

        streams.get(5).close();
        network.run(10);
        StreamEnd next = FakeStreams.ask(session, "echo");
        network.run(10);
        assertThat(next.opened).isCompleted();
        assertThat(next.id()).as("not the number that was freed last").isEqualTo(128);
    }

    @Test
    void asksAgainOnANewChannelForWhatTheOldOneLost() {
        server.services.add("echo", FakeStreams::grant);
        boolean[] broken = {false};
        network.faults = (from, message) -> {
            boolean first = message instanceof ControlMessage.AcceptStream && !broken[0];
            broken[0] |= first;
            return first ? Fate.BREAK : Fate.PASS;
        };
        StreamEnd stream = FakeStreams.ask(session, "echo");
        network.run(300);

        assertThat(stream.opened).isCompleted();
        assertThat(server.dataplane.streams).hasSize(1);
    }

    @Test
    void tellsThePeerOnANewChannelWhatWasClosedMeanwhile() {
        List<OpenedStream> atServer = new ArrayList<>();
        server.services.add("echo", stream -> {
            atServer.add(stream.accept(FakeStreams.QUEUES));
            return NullNode.getInstance();
        });
        StreamEnd first = FakeStreams.ask(session, "echo");
        StreamEnd second = FakeStreams.ask(session, "echo");
        FakeStreams.ask(session, "echo");
        network.run(10);
        network.breakChannel(network.pipes.get(0));
        first.close();
        atServer.get(1).close();
        network.run(300);

        assertThat(atServer.get(0).closed()).isDone();
        assertThat(second.closed()).isDone();
        assertThat(client.dataplane.streams).hasSize(1);
        assertThat(server.dataplane.streams).hasSize(1);
    }
}
