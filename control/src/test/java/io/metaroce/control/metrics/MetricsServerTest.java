// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MetricsServerTest {
    private final MetricsFixture fixture = new MetricsFixture();
    private final AtomicReference<List<String>> troubles = new AtomicReference<>(List.of());
    private final HttpClient client = HttpClient.newHttpClient();
    private MetricsServer server;

    @SuppressWarnings("NullAway.Init") // set before every test
    MetricsServerTest() {}

    @BeforeEach
    void start() throws IOException {
        server = new MetricsServer(InetAddress.getLoopbackAddress(), 0, fixture.registry, troubles::get);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersPlainTextAndOpenMetricsAsAsked() throws Exception {
        HttpResponse<String> text = get("/metrics");
        assertThat(text.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(text.body()).contains("metaroce_build_info{").doesNotContain("# EOF");

        HttpResponse<String> open = get(
                "/metrics",
                "Accept",
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1");
        assertThat(open.headers().firstValue("Content-Type"))
                .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(open.body()).endsWith("# EOF\n");

        assertThat(get("/metrics", "Accept", "text/plain,application/openmetrics-text;q=0.1")
                        .body())
                .doesNotContain("# EOF");
        assertThat(get("/metrics", "Accept", "rubbish;;;q=x").statusCode()).isEqualTo(200);
    }

    @Test
    void compressesWhenAsked() throws Exception {
        HttpResponse<byte[]> packed = client.send(
                request("/metrics")
                        .header("Accept-Encoding", "deflate, gzip;q=0.8")
                        .build(),
                BodyHandlers.ofByteArray());

        assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
        String text = new String(
                new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text).contains("metaroce_tx_packets_total");
        assertThat(get("/metrics", "Accept-Encoding", "gzip;q=0").headers().firstValue("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void answersHeadWithTheLengthAndNoBody() throws Exception {
        HttpResponse<String> head = client.send(
                request("/healthz")
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).contains("3");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void isReadyUntilSomethingKeepsItFromServing() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(200);

        troubles.set(List.of("lane 1 has stood still for 900 ms", "draining"));

        HttpResponse<String> answer = get("/readyz");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("lane 1 has stood still for 900 ms\ndraining\n");
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void knowsItsPathsAndMethodsOnly() throws Exception {
        assertThat(get("/metricsandmore").statusCode()).isEqualTo(404);
        assertThat(get("/metrics/x").statusCode()).isEqualTo(404);
        assertThat(get("/").body()).contains("/metrics");
        HttpResponse<String> post = client.send(
                request("/metrics")
                        .POST(HttpRequest.BodyPublishers.ofString("x"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void answersHealthWhileSlowClientsHoldTheirRequestsBack() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }
            assertThat(get("/healthz").statusCode()).isEqualTo(200);
            assertThat(get("/metrics").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    @Tag("long")
    void cutsOffClientsThatHoldEveryThread() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(4L * MetricsServer.CLIENT_SECONDS);
            while (!answersHealth()) {
                assertThat(endNs - System.nanoTime()).as("still held").isPositive();
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private boolean answersHealth() throws InterruptedException {
        try {
            return client.send(request("/healthz").build(), BodyHandlers.ofString())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(30));
    }
}
