// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.connect.FakeNetwork.Connecting;
import io.metaroce.control.connect.FakeNetwork.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many connections at once, and one after another. */
class ManyConnectionsTest {
    private final FakeNetwork network = new FakeNetwork();
    private final FakeNetwork.Node server = network.node("server", 1, 11);
    private final FakeNetwork.Node client = network.node("client", 2, 22);

    /** B61: many clients at once exhausted retries; some were refused by accident. */
    @Test
    void connectsAThousandClientsThatComeAtOnceThroughChannelsThatBreak() {
        Random random = new Random(61);
        network.faults = (from, message) -> random.nextInt(20) == 0 ? Fate.BREAK : Fate.PASS;
        List<Connecting> clients = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            clients.add(client.connect(server, 10_000));
            if (i % 50 == 0) {
                network.run(5);
            }
        }
        network.run(9_800);

        assertThat(clients).allSatisfy(each -> assertThat(each.session()).isNotNull());
        assertThat(server.manager.counters().get(ControlCounter.CONNECTIONS_REFUSED))
                .isZero();
        network.faults = (from, message) -> Fate.PASS;
        network.run(30_000);
        assertThat(server.manager.connectionCount())
                .as("no connection that nobody holds")
                .isEqualTo(client.manager.connectionCount());
    }

    /** A quick share of what the full tier does. */
    @Test
    void leaksNothingOverThousandsOfConnectsAndCloses() {
        cycle(3000);
    }

    @Test
    @Tag("long")
    void leaksNothingOverAHundredThousandConnectsAndCloses() {
        cycle(100_000);
    }

    private void cycle(int cycles) {
        server.services.add("echo", FakeStreams::grant);
        for (int i = 0; i < cycles; i++) {
            Connecting connecting = client.connect(server, 1000);
            network.settle();
            StreamEnd stream = FakeStreams.ask(connecting.session(), "echo");
            network.settle();
            assertThat(stream.opened).isCompleted();
            connecting.session().close("done");
            network.run(5);
            network.sent.clear();
            network.pipes.clear();
        }
        assertThat(server.manager.usedIds() + client.manager.usedIds()).isZero();
        assertThat(server.manager.connectionCount() + client.manager.connectionCount())
                .isZero();
        assertThat(server.manager.channelCount() + client.manager.channelCount())
                .isZero();
        assertThat(server.dataplane.connections).isEmpty();
        assertThat(server.dataplane.streams).isEmpty();
        assertThat(server.manager.counters().get(ControlCounter.CONNECTIONS_CLOSED))
                .isEqualTo(cycles);
    }
}
