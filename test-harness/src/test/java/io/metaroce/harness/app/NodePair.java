// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.control.daemon.Node;
import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.ProtectionDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/** Two nodes on loopback sockets, connected, with a verified transfer between them. */
final class NodePair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final Node server;
    final Node client;
    final ProtectionDomain serverDomain;
    final PeerConnection toServer;
    final PeerConnection toClient;
    final TransferReceiver receiver;
    final TransferSender sender;

    /**
     * @param more settings of both, as {@code key=value}
     */
    NodePair(TransferPlan plan, String address, String faults, String... more) throws Exception {
        AtomicReference<@Nullable TransferReceiver> receiving = new AtomicReference<>();
        AtomicReference<@Nullable PeerConnection> peer = new AtomicReference<>();
        server = Node.start(config(address, faults, more), NodeOptions.SERVING);
        client = Node.start(config(address, faults, more), NodeOptions.CLIENT);
        NodeDevice serverDevice = new NodeDevice(server);
        Context serverContext = Context.open(serverDevice);
        serverDomain = serverContext.allocateProtectionDomain();
        server.serve("transfer", incoming -> {
            TransferReceiver created = new TransferReceiver(serverContext, serverDomain, plan);
            serverDevice.accept(incoming, created.queuePair());
            created.postReceives();
            peer.set(incoming.connection());
            receiving.set(created);
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("address", created.address())
                    .put("rkey", created.rkey());
        });
        NodeDevice clientDevice = new NodeDevice(client);
        Context clientContext = Context.open(clientDevice);
        ProtectionDomain clientDomain = clientContext.allocateProtectionDomain();
        toServer = client.connect(address, server.controlPort(), PATIENCE, line -> {});
        sender = new TransferSender(clientContext, clientDomain, plan);
        OpenedStream stream = clientDevice.connect(
                toServer, "transfer", JsonNodeFactory.instance.objectNode(), sender.queuePair(), PATIENCE);
        sender.start(
                stream.peerData().get("address").asLong(),
                stream.peerData().get("rkey").asInt());
        receiver = Objects.requireNonNull(receiving.get());
        toClient = Objects.requireNonNull(peer.get());
    }

    /** Moves messages until the receiver has checked them all; anything but success fails the test. */
    void move(long messages) {
        moveUntil(() -> sender.checked() >= messages, messages);
        assertThat(receiver.failure()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(sender.failure()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(sender.checked()).isEqualTo(messages);
    }

    /** Moves messages until {@code isEnough}, which is asked every turn, or until one side has failed. */
    void moveUntil(BooleanSupplier isEnough, long messages) {
        sender.limit(messages);
        IdleStrategy idle = new BackoffIdleStrategy();
        long startNs = System.nanoTime();
        while (!isEnough.getAsBoolean()
                && sender.failure() == CompletionStatus.SUCCESS
                && receiver.failure() == CompletionStatus.SUCCESS
                && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(60)) {
            idle.idle(sender.doWork() + receiver.doWork());
        }
    }

    private static DaemonConfig config(String address, String faults, String... more) throws Exception {
        List<String> sets = new ArrayList<>(List.of(
                "control.port=0",
                "control.bind=" + address,
                "metrics.enabled=false",
                "ports[0].address=" + address,
                "ports[0].udp_port=0"));
        if (!faults.isEmpty()) {
            sets.add("faults=" + faults);
        }
        sets.addAll(List.of(more));
        return ConfigLoader.load(null, Map.of(), sets).config();
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
        client.close();
        server.close();
    }
}
