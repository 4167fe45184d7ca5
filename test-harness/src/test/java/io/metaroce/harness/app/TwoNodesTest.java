// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.control.daemon.Node;
import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.wrap.FaultCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole stack in one process: two nodes, real sockets on loopback, every byte checked. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TwoNodesTest {
    private static final TransferPlan PLAN = new TransferPlan(TransferPlan.Operation.WRITE, 1 << 20, 16, 4, 42, true);

    @Test
    void aCleanTransferArrivesWholeWithoutRetransmission() throws Exception {
        Outcome outcome = transfer("", 48);

        assertThat(outcome.wrong).isZero();
        assertThat(outcome.late).isZero();
        assertThat(outcome.retransmitted).isZero();
    }

    @Test
    void onePacketInAHundredLostIsRepaired() throws Exception {
        Outcome outcome = transfer("loss=1%,seed=7", 48);

        assertThat(outcome.wrong).isZero();
        assertThat(outcome.late).isZero();
        assertThat(outcome.lost).isPositive();
        assertThat(outcome.retransmitted).isPositive();
    }

    private record Outcome(long wrong, long late, long retransmitted, long lost) {}

    private static Outcome transfer(String faults, long messages) throws Exception {
        AtomicReference<TransferReceiver> receiving = new AtomicReference<>();
        try (Node server = Node.start(config(faults), NodeOptions.SERVING);
                Node client = Node.start(config(faults), NodeOptions.CLIENT)) {
            NodeDevice serverDevice = new NodeDevice(server);
            Context serverContext = Context.open(serverDevice);
            ProtectionDomain serverDomain = serverContext.allocateProtectionDomain();
            server.serve("transfer", incoming -> {
                TransferReceiver receiver = new TransferReceiver(serverContext, serverDomain, PLAN);
                serverDevice.accept(incoming, receiver.queuePair());
                receiver.postReceives();
                receiving.set(receiver);
                ObjectNode reply = JsonNodeFactory.instance.objectNode();
                return reply.put("address", receiver.address()).put("rkey", receiver.rkey());
            });
            NodeDevice clientDevice = new NodeDevice(client);
            Context clientContext = Context.open(clientDevice);
            ProtectionDomain clientDomain = clientContext.allocateProtectionDomain();
            PeerConnection peer = client.connect("127.0.0.1", server.controlPort(), Duration.ofSeconds(10), line -> {});
            TransferSender sender = new TransferSender(clientContext, clientDomain, PLAN);
            OpenedStream stream = clientDevice.connect(
                    peer,
                    "transfer",
                    JsonNodeFactory.instance.objectNode(),
                    sender.queuePair(),
                    Duration.ofSeconds(10));
            sender.start(
                    stream.peerData().get("address").asLong(),
                    stream.peerData().get("rkey").asInt());
            TransferReceiver receiver = Objects.requireNonNull(receiving.get());
            run(sender, receiver, messages);
            Outcome outcome = new Outcome(
                    receiver.wrongBytes(),
                    receiver.lateBytes(),
                    client.totals().sum(ConnectionCounter.TX_RETRANSMITTED_SACK)
                            + client.totals().sum(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                            + client.totals().sum(ConnectionCounter.TX_RETRANSMITTED_MOVED),
                    client.count(FaultCounter.LOST_DATA));
            sender.close();
            receiver.close();
            return outcome;
        }
    }

    private static void run(TransferSender sender, TransferReceiver receiver, long messages) {
        sender.limit(messages);
        IdleStrategy idle = new BackoffIdleStrategy();
        long startNs = System.nanoTime();
        while (sender.checked() < messages
                && sender.failure() == CompletionStatus.SUCCESS
                && receiver.failure() == CompletionStatus.SUCCESS
                && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(60)) {
            idle.idle(sender.doWork() + receiver.doWork());
        }
        assertThat(receiver.failure()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(sender.failure()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(sender.checked()).isEqualTo(messages);
    }

    private static DaemonConfig config(String faults) throws Exception {
        List<String> sets = new ArrayList<>(List.of("control.port=0", "metrics.enabled=false", "ports[0].udp_port=0"));
        if (!faults.isEmpty()) {
            sets.add("faults=" + faults);
        }
        return ConfigLoader.load(null, Map.of(), sets).config();
    }
}
