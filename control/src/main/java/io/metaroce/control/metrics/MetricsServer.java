// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * {@code /metrics}, {@code /healthz} and {@code /readyz} over HTTP. Health does not wait for a scrape. Threads are bounded,
 * and a client that is slow to ask or to read is cut off after {@link #CLIENT_SECONDS}, so that it cannot hold one for long.
 */
final class MetricsServer implements AutoCloseable {
    static final int CLIENT_SECONDS = 5;
    private static final int THREADS_MAX = 32;
    private static final int BACKLOG = 64;
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final PrometheusMeterRegistry registry;
    private final Supplier<List<String>> troubles;

    /**
     * @param troubles what keeps the node from serving, one line each; empty when it is ready
     * @throws IOException if the address cannot be had
     */
    MetricsServer(InetAddress bind, int port, PrometheusMeterRegistry registry, Supplier<List<String>> troubles)
            throws IOException {
        // Read by the JDK's server when it is first used; a value that is given on the command line stands.
        setIfAbsent("sun.net.httpserver.maxReqTime");
        setIfAbsent("sun.net.httpserver.maxRspTime");
        this.registry = registry;
        this.troubles = troubles;
        AtomicInteger number = new AtomicInteger();
        // Beyond the bound a connection is closed at once by the server: refused, not queued without end.
        this.threads = new ThreadPoolExecutor(0, THREADS_MAX, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
            Thread thread = new Thread(work, "metaroce-http-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        this.server = HttpServer.create(new InetSocketAddress(bind, port), BACKLOG);
        server.setExecutor(threads);
        server.createContext("/metrics", only("/metrics", this::metrics));
        server.createContext("/healthz", only("/healthz", exchange -> answer(exchange, 200, TEXT, "ok\n")));
        server.createContext("/readyz", only("/readyz", this::ready));
        server.createContext("/", only("/", this::index));
        server.start();
    }

    private static void setIfAbsent(String property) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(CLIENT_SECONDS));
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** This path and no longer one, GET and HEAD only. */
    private static HttpHandler only(String path, HttpHandler handler) {
        return exchange -> {
            try (exchange) {
                if (!exchange.getRequestURI().getPath().equals(path)) {
                    answer(exchange, 404, TEXT, "not found; there are /metrics, /healthz, /readyz\n");
                } else if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                    exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                    answer(exchange, 405, TEXT, "GET or HEAD only\n");
                } else {
                    handler.handle(exchange);
                }
            }
        };
    }

    private void metrics(HttpExchange exchange) throws IOException {
        Exposition exposition = Exposition.of(exchange.getRequestHeaders().getFirst("Accept"));
        answer(exchange, 200, exposition.contentType(), registry.scrape(exposition.contentType()));
    }

    private void ready(HttpExchange exchange) throws IOException {
        List<String> reasons = troubles.get();
        if (reasons.isEmpty()) {
            answer(exchange, 200, TEXT, "ready\n");
        } else {
            answer(exchange, 503, TEXT, String.join("\n", reasons) + "\n");
        }
    }

    private void index(HttpExchange exchange) throws IOException {
        answer(exchange, 200, TEXT, "metaroced: /metrics /healthz /readyz\n");
    }

    private static void answer(HttpExchange exchange, int status, String contentType, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        if (Exposition.takesGzip(exchange.getRequestHeaders().getFirst("Accept-Encoding"))) {
            body = gzip(body);
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        }
        exchange.getResponseHeaders().set("Vary", "Accept, Accept-Encoding");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(plain.length / 4 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        }
        return packed.toByteArray();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
