// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The control channel over real sockets and threads. */
@Timeout(60)
class ControlEndpointTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<ControlEndpoint> endpoints = new ArrayList<>();
    private final FakeDataplane serverPlane = new FakeDataplane(FakeNetwork.plane(1));
    private final FakeDataplane clientPlane = new FakeDataplane(FakeNetwork.plane(2));

    @AfterEach
    void closeAll() {
        endpoints.forEach(ControlEndpoint::close);
    }

    private ControlEndpoint start(String node, FakeDataplane dataplane, int port) throws Exception {
        ControlEndpoint endpoint = ControlEndpoint.start(
                Identity.random(node), FakeNetwork.settings(), dataplane, InetAddress.getLoopbackAddress(), port);
        endpoints.add(endpoint);
        return endpoint;
    }

    private static PeerConnection connect(ControlEndpoint from, int port) throws ConnectFailure {
        return from.connect("127.0.0.1", port, PATIENCE, why -> {});
    }

    @Test
    void opensAStreamAndEndsItOnBothSides() throws Exception {
        ControlEndpoint server = start("server", serverPlane, 0);
        CompletableFuture<OpenedStream> atServer = new CompletableFuture<>();
        server.serve("echo", stream -> {
            atServer.complete(stream.accept(FakeStreams.QUEUES));
            return TextNode.valueOf("hello " + stream.peerData().textValue());
        });
        PeerConnection connection = connect(start("client", clientPlane, 0), server.port());

        OpenedStream stream = connection.openStream("echo", TextNode.valueOf("me"), FakeStreams.QUEUES, PATIENCE);

        assertThat(stream.peerData().textValue()).isEqualTo("hello me");
        assertThat(connection.ready().get(10, TimeUnit.SECONDS)).isEqualTo(8192);
        stream.close();
        assertThat(atServer.get(10, TimeUnit.SECONDS).closed().get(10, TimeUnit.SECONDS))
                .isEqualTo("closed by the peer: closed");
        assertThat(stream.closed().get(10, TimeUnit.SECONDS)).isEqualTo("closed");
        connection.close("done");
        assertThat(connection.closed().get(10, TimeUnit.SECONDS)).isEqualTo("done");
    }

    @Test
    void returnsTheRingsBeforeItReportsThatNobodyAnswered() throws Exception {
        ControlEndpoint server = start("server", serverPlane, 0);
        CompletableFuture<String> release = new CompletableFuture<>();
        server.serve("slow", stream -> {
            release.join();
            throw new ConnectFailure("too late");
        });
        PeerConnection connection = connect(start("client", clientPlane, 0), server.port());

        assertThatThrownBy(() -> connection.openStream(
                        "slow", NullNode.getInstance(), FakeStreams.QUEUES, Duration.ofMillis(100)))
                .isInstanceOf(ConnectFailure.class)
                .hasMessageContaining("did not answer for service \"slow\" within 100 ms");
        assertThat(clientPlane.streams).isEmpty();
        release.complete("");
    }

    /** B60 over real sockets. */
    @Test
    void waitsForAServerThatStartsLater() throws Exception {
        int port;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = probe.getLocalPort();
        }
        ControlEndpoint client = start("client", clientPlane, 0);
        CompletableFuture<String> waiting = new CompletableFuture<>();
        CompletableFuture<PeerConnection> connected = CompletableFuture.supplyAsync(() -> {
            try {
                return client.connect("127.0.0.1", port, PATIENCE, waiting::complete);
            } catch (ConnectFailure e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(waiting.get(10, TimeUnit.SECONDS))
                .isEqualTo("waiting for peer 127.0.0.1:" + port + ": connection refused");

        start("server", serverPlane, port);

        assertThat(connected.get(20, TimeUnit.SECONDS).peerNode()).isEqualTo("server");
    }

    /** B62: answers came up to 200 ms late because a timer belonged to another thread. */
    @Test
    void shakesHandsWithoutWaitingForATimer() throws Exception {
        ControlEndpoint server = start("server", serverPlane, 0);
        ControlEndpoint client = start("client", clientPlane, 0);
        long[] durationsNs = new long[200];
        for (int i = 0; i < durationsNs.length; i++) {
            long startNs = System.nanoTime();
            PeerConnection connection = connect(client, server.port());
            durationsNs[i] = System.nanoTime() - startNs;
            connection.close("next");
        }
        Arrays.sort(durationsNs);

        assertThat(TimeUnit.NANOSECONDS.toMillis(durationsNs[100]))
                .as("median, ms")
                .isLessThan(20);
        assertThat(TimeUnit.NANOSECONDS.toMillis(durationsNs[180]))
                .as("90 %, ms")
                .isLessThan(150);
    }

    @Test
    void namesAPortThatIsTaken() throws Exception {
        ControlEndpoint server = start("server", serverPlane, 0);

        assertThatThrownBy(() -> start("second", clientPlane, server.port()))
                .isInstanceOf(ConnectFailure.class)
                .hasMessageContaining(
                        "control channel: cannot listen at localhost:" + server.port(),
                        "address already in use",
                        "control.port");
    }

    @Test
    void namesAHostThatIsNotKnown() throws Exception {
        ControlEndpoint client = start("client", clientPlane, 0);

        assertThatThrownBy(() -> client.connect("no such host", 1, PATIENCE, why -> {}))
                .hasMessage("host no such host is not known");
    }

    @Test
    void answersAWebBrowserWithOneLineAndGoesOn() throws Exception {
        ControlEndpoint server = start("server", serverPlane, 0);
        try (Socket browser = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            browser.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(readAll(browser.getInputStream()), StandardCharsets.UTF_8);

            assertThat(answer).contains("\"type\":\"HELLO\"", "\"type\":\"CLOSE\"", "not a MetaRoCE control channel");
        }
        assertThat(connect(start("client", clientPlane, 0), server.port()).peerNode())
                .isEqualTo("server");
    }

    /** Many peers that say half a message and wait. */
    @Test
    void servesOthersWhileSlowPeersHoldTheirHandshakes() throws Exception {
        ControlEndpoint server = start("server", serverPlane, 0);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream().write(new byte[] {0, 0, 1, 0, '{'});
                slow.add(socket);
            }
            assertThat(connect(start("client", clientPlane, 0), server.port()).peerNode())
                    .isEqualTo("server");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void tellsThePeerWhenItShutsDown() throws Exception {
        ControlEndpoint server = start("server", serverPlane, 0);
        PeerConnection connection = connect(start("client", clientPlane, 0), server.port());

        server.close("maintenance");

        assertThat(connection.closed().get(10, TimeUnit.SECONDS)).isEqualTo("closed by the peer: maintenance");
        assertThatThrownBy(() -> connect(server, 1)).hasMessage("the node is closed");
    }

    private static byte[] readAll(InputStream in) throws Exception {
        return in.readAllBytes();
    }
}
