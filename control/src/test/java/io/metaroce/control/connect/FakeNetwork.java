// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Nodes joined by channels in one thread and virtual time. Every message passes through the codec. A fault hook sees each
 * message and may break its channel, double it, or let it pass.
 */
final class FakeNetwork {
    static final long MS = 1_000_000L;

    enum Fate {
        PASS,
        DOUBLE,
        BREAK
    }

    /** Judges a message before it is delivered. */
    interface Faults {
        Fate judge(Node from, ControlMessage message);
    }

    final class Node {
        final String name;
        final int port;
        final FakeDataplane dataplane;
        final ConnectionManager manager;
        final Services services = new Services(Runnable::run);
        boolean isListening = true;

        Node(String name, int port, long incarnation, ManagerSettings settings, FakeDataplane dataplane) {
            this.name = name;
            this.port = port;
            this.dataplane = dataplane;
            this.manager = new ConnectionManager(new ConnectionManager.Parts(
                    new Identity(name, incarnation),
                    settings,
                    dataplane,
                    (address, listener) -> dial(this, address, listener),
                    services,
                    task -> {
                        task.run(nowNs);
                        return true;
                    },
                    new Random(incarnation)));
        }

        Connecting connect(Node to, long timeoutMs) {
            return connect(to.port, timeoutMs);
        }

        Connecting connect(int toPort, long timeoutMs) {
            Connecting connecting = new Connecting();
            manager.connect(InetSocketAddress.createUnresolved("10.0.0.1", toPort), timeoutMs * MS, connecting, nowNs);
            return connecting;
        }
    }

    /** How a connect went. */
    static final class Connecting implements ConnectionManager.ConnectListener {
        @Nullable
        Session session;

        @Nullable
        String failure;

        final List<String> waiting = new ArrayList<>();

        @Override
        public void onConnected(PeerConnection connection) {
            session = (Session) connection;
        }

        @Override
        public void onFailed(String why) {
            failure = why;
        }

        @Override
        public void onWaiting(String why) {
            waiting.add(why);
        }

        Session session() {
            if (session == null) {
                throw new AssertionError("not connected: " + failure);
            }
            return session;
        }
    }

    final class Pipe implements ControlChannel {
        final Node owner;

        @Nullable
        Pipe other;

        boolean isClosed;

        Pipe(Node owner) {
            this.owner = owner;
        }

        @Override
        public void send(ControlMessage message) {
            byte[] frame = ControlCodec.encode(message);
            sent.add(owner.name + " " + message.getClass().getSimpleName());
            sendRaw(Arrays.copyOfRange(frame, 4, frame.length));
        }

        void sendRaw(byte[] body) {
            if (!isClosed) {
                queue.add(() -> deliver(this, body));
            }
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                queue.add(() -> lose(Objects.requireNonNull(other), "closed by the peer"));
            }
        }

        @Override
        public String remote() {
            return "10.0.0.1:" + Objects.requireNonNull(other).owner.port;
        }

        @Override
        public String localAddress() {
            return "10.0.0.9";
        }
    }

    private final Map<Integer, Node> byPort = new HashMap<>();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    final List<Pipe> pipes = new ArrayList<>();
    final List<String> sent = new ArrayList<>();
    Faults faults = (from, message) -> Fate.PASS;
    long nowNs = 1_000_000_000_000L;

    Node node(String name, int port, long incarnation) {
        return node(name, port, incarnation, settings(), plane(port));
    }

    Node node(String name, int port, long incarnation, ManagerSettings settings, PlaneOffer... planes) {
        Node node = new Node(name, port, incarnation, settings, new FakeDataplane(planes));
        byPort.put(port, node);
        return node;
    }

    static PlaneOffer plane(int port) {
        return new PlaneOffer("10.0.0.1", port, 8192, 212_992, 7);
    }

    static ManagerSettings settings() {
        return settings(4096);
    }

    static ManagerSettings settings(int connectionsMax) {
        return new ManagerSettings(
                new Limits(8192, 16384, 1024, 64, 8),
                connectionsMax,
                64,
                5_000 * MS,
                5_000 * MS,
                0,
                List.of("WRITE"),
                AddressFilter.ALL);
    }

    private void dial(Node from, InetSocketAddress address, Dialer.DialListener listener) {
        queue.add(() -> {
            Node to = byPort.get(address.getPort());
            if (to == null || !to.isListening) {
                listener.onDialFailed("connection refused", nowNs);
                return;
            }
            Pipe near = pipe(from, to);
            Pipe far = Objects.requireNonNull(near.other);
            to.manager.onChannelAccepted(far, nowNs);
            listener.onDialed(near, nowNs);
        });
    }

    /** A channel that nobody has been told of: the caller plays its near end. */
    Pipe pipe(Node from, Node to) {
        Pipe near = new Pipe(from);
        Pipe far = new Pipe(to);
        near.other = far;
        far.other = near;
        pipes.add(near);
        return near;
    }

    private void deliver(Pipe from, byte[] body) {
        Pipe to = Objects.requireNonNull(from.other);
        ControlMessage message;
        try {
            message = ControlCodec.decode(body);
        } catch (ControlProtocolException e) {
            to.owner.manager.onProtocolError(to, e, nowNs);
            return;
        }
        Fate fate = to.isClosed ? Fate.PASS : faults.judge(from.owner, message);
        if (fate == Fate.BREAK) {
            breakChannel(from);
            return;
        }
        for (int i = fate == Fate.DOUBLE ? 2 : 1; i > 0 && !to.isClosed; i--) {
            to.owner.manager.onMessage(to, message, nowNs);
        }
    }

    void breakChannel(Pipe pipe) {
        lose(pipe, "connection reset");
        lose(Objects.requireNonNull(pipe.other), "connection reset");
    }

    private void lose(Pipe pipe, String why) {
        if (!pipe.isClosed) {
            pipe.isClosed = true;
            pipe.owner.manager.onChannelLost(pipe, why, nowNs);
        }
    }

    /** Delivers all that is under way, without letting time pass. */
    void settle() {
        for (int i = 0; i < 100_000 && !queue.isEmpty(); i++) {
            queue.remove().run();
            if (queue.isEmpty()) {
                byPort.values().forEach(node -> node.manager.onTick(nowNs));
            }
        }
        if (!queue.isEmpty()) {
            throw new AssertionError("the control channel does not come to rest");
        }
    }

    void run(long ms) {
        for (long i = 0; i < ms; i += 5) {
            byPort.values().forEach(node -> node.manager.onTick(nowNs));
            settle();
            nowNs += 5 * MS;
        }
    }
}
