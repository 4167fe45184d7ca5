// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The control channel of a node: listens for peers, connects to peers, serves. Owns the control thread and the service
 * threads. Safe for any thread.
 */
public final class ControlEndpoint implements AutoCloseable {
    private static final int SERVICE_THREADS = 4;
    private static final int SERVICE_QUEUE = 1024;
    private static final long CLOSE_TIMEOUT_NS = 3_000_000_000L;
    private static final long CLOSE_POLL_MS = 5;

    /** How many there are now of what comes and goes. */
    public record Gauges(int connections, int streams, int handshakes) {}

    private final ControlLoop loop;
    private final ConnectionManager manager;
    private final Services services;
    private final ThreadPoolExecutor serviceThreads;
    private final Dataplane dataplane;

    private ControlEndpoint(ControlLoop loop, Identity identity, ManagerSettings settings, Dataplane dataplane) {
        AtomicInteger number = new AtomicInteger();
        this.serviceThreads = new ThreadPoolExecutor(
                SERVICE_THREADS,
                SERVICE_THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(SERVICE_QUEUE),
                work -> {
                    Thread thread = new Thread(work, "metaroce-service-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        serviceThreads.allowCoreThreadTimeOut(true);
        this.loop = loop;
        this.dataplane = dataplane;
        this.services = new Services(serviceThreads);
        this.manager = new ConnectionManager(
                new ConnectionManager.Parts(identity, settings, dataplane, loop, services, loop, new SecureRandom()));
    }

    /**
     * Starts the control channel.
     *
     * @param bind address to listen at; null: peers cannot connect to us, only we to them
     * @throws ConnectFailure naming address and port when they cannot be had
     */
    public static ControlEndpoint start(
            Identity identity, ManagerSettings settings, Dataplane dataplane, @Nullable InetAddress bind, int port)
            throws ConnectFailure {
        ControlLoop loop;
        try {
            loop = new ControlLoop();
            if (bind != null) {
                loop.listen(bind, port);
            }
        } catch (IOException e) {
            throw new ConnectFailure("control channel: cannot listen at "
                    + OutgoingConnect.text(new InetSocketAddress(bind, port)) + ": " + ControlLoop.plain(e)
                    + "; choose another address or port with control.bind, control.port");
        }
        ControlEndpoint endpoint = new ControlEndpoint(loop, identity, settings, dataplane);
        loop.start(endpoint.manager);
        return endpoint;
    }

    /** TCP port listened at; -1 if none. */
    public int port() {
        return loop.listeningPort();
    }

    /**
     * Connects to a peer, waiting for one that is not there yet.
     *
     * @param host name or literal; IPv6 literals may have a scope
     * @param onWaiting told once, with one line, when the peer is not there at once
     * @throws ConnectFailure after the timeout, or at once if the peer refuses or speaks another version
     */
    public PeerConnection connect(String host, int port, Duration timeout, Consumer<String> onWaiting)
            throws ConnectFailure {
        InetSocketAddress address = resolve(host, port);
        CompletableFuture<PeerConnection> result = new CompletableFuture<>();
        ConnectionManager.ConnectListener listener = new ConnectionManager.ConnectListener() {
            @Override
            public void onConnected(PeerConnection connection) {
                result.complete(connection);
            }

            @Override
            public void onFailed(String why) {
                result.completeExceptionally(new ConnectFailure(why));
            }

            @Override
            public void onWaiting(String why) {
                onWaiting.accept(why);
            }
        };
        if (!loop.execute(nowNs -> manager.connect(address, timeout.toNanos(), listener, nowNs))) {
            throw new ConnectFailure("the node is closed");
        }
        long patienceNs = timeout.toNanos() + TimeUnit.SECONDS.toNanos(ControlThread.ANSWER_TIMEOUT_SECONDS);
        return ControlThread.await(result, patienceNs, TimeUnit.NANOSECONDS, "the control thread does not answer");
    }

    private static InetSocketAddress resolve(String host, int port) throws ConnectFailure {
        if (port < 1 || port > 65535) {
            throw new ConnectFailure("port " + port + " is not from 1 to 65535");
        }
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        try {
            return new InetSocketAddress(InetAddress.getByName(bare), port);
        } catch (UnknownHostException e) {
            throw new ConnectFailure("host " + SafeText.line(host) + " is not known");
        }
    }

    /** Offers a service to peers, until {@link #unserve}. */
    public void serve(String service, StreamListener listener) {
        services.add(service, listener);
    }

    public void unserve(String service) {
        services.remove(service);
    }

    /** Runs a piece of work with the dataplane on the control thread, which alone may command it. */
    public <T> T withDataplane(DataplaneCall<T> call) throws ConnectFailure {
        return loop.call(nowNs -> {
            try {
                return call.run(dataplane);
            } catch (DataplaneException e) {
                throw new ConnectFailure(String.valueOf(e.getMessage()));
            }
        });
    }

    /** Work with the dataplane. */
    @FunctionalInterface
    public interface DataplaneCall<T> {
        T run(Dataplane dataplane) throws DataplaneException;
    }

    public ControlCounters counters() {
        return manager.counters();
    }

    /** How long ago the control thread turned last, in nanoseconds. */
    public long sinceLastTurnNs() {
        return loop.sinceLastTurnNs();
    }

    /** Takes nothing new and tells peers so; what runs goes on. */
    public void drain(String reason) {
        loop.execute(nowNs -> manager.drain(reason));
    }

    /** Ends every connection, telling peers why, and stops. */
    public void close(String reason) {
        loop.execute(nowNs -> manager.closeAll(reason, nowNs));
        long endNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
        try {
            while (endNs - System.nanoTime() > 0 && loop.call(nowNs -> manager.connectionCount()) > 0) {
                TimeUnit.MILLISECONDS.sleep(CLOSE_POLL_MS);
            }
        } catch (ConnectFailure e) {
            // The thread has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        loop.stop(CLOSE_TIMEOUT_NS);
        serviceThreads.shutdownNow();
    }

    @Override
    public void close() {
        close("closed");
    }
}
