// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control thread: the one class with the control channel's sockets and its clock. Everything of {@link ConnectionManager}
 * happens here; other threads leave tasks.
 */
final class ControlLoop implements ControlThread, Dialer {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);

    /** Wake-ups while something may come soon, and while nothing is expected. */
    private static final long BUSY_TICK_MS = 1;

    private static final long IDLE_TICK_MS = 10;
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Channels accepted in a turn; more wait in the backlog. */
    private static final int ACCEPTS_MAX = 64;
    /** Closing channels that may still be flushing; beyond it they are cut. */
    private static final int CLOSING_MAX = 1024;

    private static final int BACKLOG = 1024;

    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);
    private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final Set<TcpChannel> broken = new LinkedHashSet<>();
    private final Set<TcpChannel> closing = new LinkedHashSet<>();
    private final Thread thread = new Thread(this::run, "metaroce-control");

    private @Nullable ServerSocketChannel server;
    private @Nullable ConnectionManager manager;
    private long busyUntilNs;
    /** When the loop last turned; written by the loop, read by health checks. */
    private volatile long lastTurnNs = System.nanoTime();
    /** Guarded by {@code tasks}: after it is set nothing is queued any more. */
    private boolean isStopped;

    private volatile boolean isStopping;

    ControlLoop() throws IOException {
        this.selector = Selector.open();
        thread.setDaemon(true);
    }

    /** Listens for peers; before {@link #start}. */
    void listen(InetAddress address, int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(address, port), BACKLOG);
            channel.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        server = channel;
    }

    /** The TCP port listened at; -1 if none. */
    int listeningPort() {
        return server == null ? -1 : server.socket().getLocalPort();
    }

    void start(ConnectionManager itsManager) {
        manager = itsManager;
        thread.start();
    }

    /** How long ago the loop turned last. */
    long sinceLastTurnNs() {
        return System.nanoTime() - lastTurnNs;
    }

    @Override
    public boolean execute(Task task) {
        synchronized (tasks) {
            if (isStopped) {
                return false;
            }
            tasks.add(task);
        }
        selector.wakeup();
        return true;
    }

    /** Ends the loop after what is queued is done and channels are flushed; waits at most so long. */
    void stop(long timeoutNs) {
        isStopping = true;
        selector.wakeup();
        if (Thread.currentThread() != thread) {
            try {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        ConnectionManager itsManager = Objects.requireNonNull(manager);
        while (!isStopping || !closing.isEmpty()) {
            try {
                turn(itsManager);
            } catch (IOException e) {
                LOG.error("the control channel's selector failed; no new connections", e);
                break;
            } catch (RuntimeException e) {
                // One connection's trouble must not end the others.
                LOG.error("the control thread met a defect and goes on", e);
            }
        }
        synchronized (tasks) {
            isStopped = true;
        }
        runTasks(System.nanoTime());
        closeEverything();
    }

    private void turn(ConnectionManager itsManager) throws IOException {
        boolean isBusy = System.nanoTime() - busyUntilNs < 0 || isStopping;
        selector.select(isBusy ? BUSY_TICK_MS : IDLE_TICK_MS);
        long nowNs = System.nanoTime();
        lastTurnNs = nowNs;
        runTasks(nowNs);
        for (SelectionKey key : selector.selectedKeys()) {
            busyUntilNs = nowNs + BUSY_NS;
            onReady(itsManager, key, nowNs);
        }
        selector.selectedKeys().clear();
        for (TcpChannel channel : new ArrayList<>(broken)) {
            broken.remove(channel);
            itsManager.onChannelLost(channel, channel.trouble(), nowNs);
        }
        itsManager.onTick(nowNs);
        for (TcpChannel channel : new ArrayList<>(closing)) {
            channel.onTick(nowNs);
        }
    }

    private void runTasks(long nowNs) {
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            busyUntilNs = nowNs + BUSY_NS;
            try {
                task.run(nowNs);
            } catch (RuntimeException e) {
                LOG.error("a task of the control thread failed", e);
            }
        }
    }

    private void onReady(ConnectionManager itsManager, SelectionKey key, long nowNs) {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            accept(itsManager, nowNs);
        } else if (key.attachment() instanceof PendingDial dial) {
            dial.onReady(key, nowNs);
        } else if (key.attachment() instanceof TcpChannel channel) {
            channel.onReady(itsManager, key, buffer, nowNs);
        }
    }

    private void accept(ConnectionManager itsManager, long nowNs) {
        for (int i = 0; i < ACCEPTS_MAX; i++) {
            SocketChannel socket = null;
            try {
                socket = server == null ? null : server.accept();
                if (socket == null) {
                    return;
                }
                itsManager.onChannelAccepted(open(socket), nowNs);
            } catch (IOException e) {
                // Too many open files, or a peer that went away between: neither may end the loop.
                LOG.warn("a control channel could not be accepted: {}", e.getMessage());
                closeQuietly(socket);
                return;
            }
        }
    }

    private TcpChannel open(SocketChannel socket) throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
        TcpChannel channel = new TcpChannel(this, socket, key);
        key.attach(channel);
        return channel;
    }

    @Override
    public void dial(InetSocketAddress address, DialListener listener) {
        SocketChannel socket = null;
        try {
            socket = SocketChannel.open();
            socket.configureBlocking(false);
            if (socket.connect(address)) {
                SocketChannel connected = socket;
                execute(nowNs -> connected(connected, listener, nowNs));
            } else {
                socket.register(selector, SelectionKey.OP_CONNECT, new PendingDial(socket, listener));
            }
        } catch (IOException | RuntimeException e) {
            closeQuietly(socket);
            String why = plain(e);
            execute(nowNs -> listener.onDialFailed(why, nowNs));
        }
    }

    private void connected(SocketChannel socket, DialListener listener, long nowNs) {
        TcpChannel channel;
        try {
            channel = open(socket);
        } catch (IOException e) {
            closeQuietly(socket);
            listener.onDialFailed(plain(e), nowNs);
            return;
        }
        listener.onDialed(channel, nowNs);
    }

    private final class PendingDial {
        private final SocketChannel socket;
        private final DialListener listener;

        PendingDial(SocketChannel socket, DialListener listener) {
            this.socket = socket;
            this.listener = listener;
        }

        void onReady(SelectionKey key, long nowNs) {
            try {
                socket.finishConnect();
            } catch (IOException e) {
                key.cancel();
                closeQuietly(socket);
                listener.onDialFailed(plain(e), nowNs);
                return;
            }
            connected(socket, listener, nowNs);
        }
    }

    /** The system's words, without the name of an exception class. */
    static String plain(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message.toLowerCase(Locale.ROOT);
    }

    /** From {@link TcpChannel}: it cannot go on; told to the manager at the end of the turn. */
    void onBroken(TcpChannel channel) {
        broken.add(channel);
    }

    /** From {@link TcpChannel}: nobody needs it any more, and it flushes. False: no room, cut it. */
    boolean onClosing(TcpChannel channel) {
        broken.remove(channel);
        return closing.size() < CLOSING_MAX && closing.add(channel);
    }

    void onClosed(TcpChannel channel) {
        closing.remove(channel);
    }

    private void closeEverything() {
        List<SelectionKey> keys = new ArrayList<>(selector.keys());
        Consumer<SelectionKey> close = key -> closeQuietly(key.channel());
        keys.forEach(close);
        closeQuietly(selector);
    }

    static void closeQuietly(@Nullable Closeable closeable) {
        if (closeable != null) {
            try {
                closeable.close();
            } catch (IOException e) {
                LOG.debug("closing failed", e);
            }
        }
    }
}
