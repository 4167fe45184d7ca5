// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.memory.AccessFlags;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes of this process, over UDP and TCP sockets on loopback. */
@Timeout(60)
class NodeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int DOMAIN = 5;
    private static final int LENGTH = 1 << 20;

    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void closeAll() {
        nodes.forEach(Node::close);
    }

    static DaemonConfig config(String... sets) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("control.port=0", "metrics.enabled=false", "ports[0].udp_port=0", "ports[0].source_ports=16"));
        all.addAll(List.of(sets));
        return ConfigLoader.load(null, Map.of(), all).config();
    }

    private Node start(NodeOptions options, String... sets) throws Exception {
        Node node = Node.start(config(sets), options);
        nodes.add(node);
        return node;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void writesIntoThePeersRegisteredMemory(String address) throws Exception {
        Node server = start(NodeOptions.SERVING, "node.name=server", "ports[0].address=" + address);
        Node client = start(NodeOptions.CLIENT, "node.name=client", "ports[0].address=" + address);
        ByteBuffer target = BufferUtil.allocateDirectAligned(LENGTH, 64);
        long targetAddress = BufferUtil.address(target);
        int rkey = server.registerMemory(
                DOMAIN, targetAddress, LENGTH, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        TestRings serverRings = new TestRings();
        server.serve("write", stream -> {
            stream.accept(serverRings.spec(2, DOMAIN));
            return JsonNodeFactory.instance.objectNode().put("rkey", rkey).put("address", targetAddress);
        });

        PeerConnection peer = client.connect("127.0.0.1", server.controlPort(), PATIENCE, why -> {});
        assertThat(peer.ready().get(20, TimeUnit.SECONDS)).isEqualTo(8192);
        TestRings rings = new TestRings();
        OpenedStream stream = peer.openStream("write", NullNode.getInstance(), rings.spec(1, DOMAIN), PATIENCE);
        ByteBuffer source = BufferUtil.allocateDirectAligned(LENGTH, 64);
        for (int i = 0; i < LENGTH; i++) {
            source.put(i, (byte) (i * 31 + (i >> 10)));
        }
        int lkey = client.registerMemory(DOMAIN, BufferUtil.address(source), LENGTH, AccessFlags.LOCAL_WRITE);
        postWrite(
                rings,
                lkey,
                BufferUtil.address(source),
                stream.peerData().get("rkey").intValue(),
                targetAddress);

        assertThat(awaitCompletion(rings)).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(target).isEqualTo(source);
        assertThat(client.totals().sum(ConnectionCounter.TX_PAYLOAD_BYTES)).isEqualTo(LENGTH);
        assertThat(client.troubles(TimeUnit.SECONDS.toNanos(5))).isEmpty();
        stream.close();
        assertThat(stream.closed().get(20, TimeUnit.SECONDS)).isEqualTo("closed");
        client.deregisterMemory(lkey);
        assertThat(client.memoryRegions()).isZero();
        peer.close("done");
        assertThat(peer.closed().get(20, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(client.totals().sum(ConnectionCounter.TX_PAYLOAD_BYTES))
                .as("after the end")
                .isEqualTo(LENGTH);
    }

    private static void postWrite(TestRings rings, int lkey, long from, int rkey, long to) {
        WorkRequestSlot slot = new WorkRequestSlot();
        assertThat(rings.send.ours().canProduce()).isTrue();
        rings.send.ours().claim(slot);
        slot.id(1);
        slot.local(lkey, from, LENGTH);
        slot.remote(rkey, to);
        slot.opcode(WorkRequestOpcode.RDMA_WRITE);
        slot.flags(SendFlags.SIGNALED);
        rings.send.ours().publish();
    }

    private static CompletionStatus awaitCompletion(TestRings rings) throws Exception {
        CompletionSlot slot = new CompletionSlot();
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (rings.completions.ours().available() == 0) {
            assertThat(endNs - System.nanoTime()).as("no completion").isPositive();
            Thread.onSpinWait();
        }
        rings.completions.ours().peek(slot);
        CompletionStatus status = slot.status();
        rings.completions.ours().release();
        return status;
    }

    @Test
    void noticesAtOnceThatThePeersProcessIsGone() throws Exception {
        Node server = start(NodeOptions.SERVING, "transport.connection_timeout=500ms");
        Node client = start(NodeOptions.CLIENT, "transport.connection_timeout=500ms");
        PeerConnection peer = client.connect("127.0.0.1", server.controlPort(), PATIENCE, why -> {});

        server.close("maintenance");

        assertThat(peer.closed().get(20, TimeUnit.SECONDS)).isEqualTo("closed by the peer: maintenance");
    }

    /** B108 for memory. */
    @Test
    void namesTheLimitWhenRegionsRunOut() throws Exception {
        Node node = start(NodeOptions.CLIENT, "memory.regions_max=2");
        ByteBuffer memory = BufferUtil.allocateDirectAligned(4096, 64);
        long address = BufferUtil.address(memory);
        int first = node.registerMemory(DOMAIN, address, 4096, AccessFlags.LOCAL_WRITE);
        node.registerMemory(DOMAIN, address, 4096, AccessFlags.LOCAL_WRITE);

        assertThatThrownBy(() -> node.registerMemory(DOMAIN, address, 4096, AccessFlags.LOCAL_WRITE))
                .isInstanceOf(ConnectFailure.class)
                .hasMessage("all 2 memory regions are in use (2 registered; memory.regions_max = 2)");
        node.deregisterMemory(first);
        assertThat(node.registerMemory(DOMAIN, address, 4096, AccessFlags.LOCAL_WRITE))
                .isNotEqualTo(first);
    }

    @Test
    void namesWhatIsTakenAndLeavesNothingRunning() throws Exception {
        Node first = start(NodeOptions.SERVING);
        int udpPort = first.ports().get(0).udpPort();

        assertThatThrownBy(() -> Node.start(config("control.port=" + first.controlPort()), NodeOptions.SERVING))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("address already in use", "control.port");
        assertThatThrownBy(() -> Node.start(config("ports[0].udp_port=" + udpPort), NodeOptions.SERVING))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(Integer.toString(udpPort));
        assertThatThrownBy(() -> Node.start(config("ports[0].address=nosuch0"), NodeOptions.SERVING))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("nosuch0 is neither an address nor an interface");
        assertThatThrownBy(() -> Node.start(config("ports[0].kind=warp"), NodeOptions.SERVING))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("no provider of kind \"warp\"; there are: dpdk, socket");
    }

    @Test
    void saysThatItDrains() throws Exception {
        Node node = start(NodeOptions.SERVING);
        assertThat(node.troubles(TimeUnit.SECONDS.toNanos(5))).isEmpty();

        node.drain("maintenance");

        assertThat(node.troubles(TimeUnit.SECONDS.toNanos(5))).containsExactly("draining");
    }

    @Test
    void usesTheNamedInterface() throws Exception {
        Node node = start(NodeOptions.SERVING, "ports[0].address=lo");

        assertThat(node.ports().get(0).address()).isEqualTo("127.0.0.1");
    }
}
