// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** One TCP connection of the control channel. Control thread only. */
final class TcpChannel implements ControlChannel {
    /** What may wait for a peer that does not read; beyond it the channel is lost. */
    private static final int OUTBOUND_BYTES_MAX = 1 << 20;
    /** Read in a turn from one channel, so that a talkative peer does not starve the others. */
    private static final int READS_MAX = 4;
    /** How long a closed channel may flush, and wait for the peer to have read it. */
    private static final long CLOSE_TIMEOUT_NS = 1_000_000_000L;

    private enum State {
        OPEN,
        BROKEN,
        /** Sends what is queued. */
        FLUSHING,
        /** Has sent everything and waits for the peer's end: closing with unread input would cut the last message off. */
        LINGERING,
        CLOSED
    }

    private final ControlLoop loop;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final FrameAssembler assembler = new FrameAssembler();
    private final Deque<ByteBuffer> outbound = new ArrayDeque<>();
    private final String remote;
    private final String localAddress;
    private State state = State.OPEN;
    private int outboundBytes;
    private String trouble = "";
    private long closeDeadlineNs;

    TcpChannel(ControlLoop loop, SocketChannel socket, SelectionKey key) throws IOException {
        this.loop = loop;
        this.socket = socket;
        this.key = key;
        this.remote = text((InetSocketAddress) socket.getRemoteAddress());
        this.localAddress = literal(((InetSocketAddress) socket.getLocalAddress()).getAddress());
    }

    @Override
    public void send(ControlMessage message) {
        if (state != State.OPEN) {
            return;
        }
        byte[] frame = ControlCodec.encode(message);
        if (outboundBytes + frame.length > OUTBOUND_BYTES_MAX) {
            breakOff("the peer does not read");
            return;
        }
        outbound.add(ByteBuffer.wrap(frame));
        outboundBytes += frame.length;
        flush();
    }

    @Override
    public void close() {
        if (state == State.BROKEN) {
            closeNow();
        } else if (state == State.OPEN) {
            state = State.FLUSHING;
            closeDeadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
            if (!loop.onClosing(this)) {
                closeNow();
                return;
            }
            flush();
        }
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public String localAddress() {
        return localAddress;
    }

    String trouble() {
        return trouble;
    }

    void onTick(long nowNs) {
        if (nowNs - closeDeadlineNs >= 0) {
            closeNow();
        }
    }

    void onReady(ConnectionManager manager, SelectionKey ready, ByteBuffer buffer, long nowNs) {
        if (ready.isWritable()) {
            flush();
        }
        if (ready.isValid() && ready.isReadable()) {
            read(manager, buffer, nowNs);
        }
    }

    private void read(ConnectionManager manager, ByteBuffer buffer, long nowNs) {
        for (int i = 0; i < READS_MAX && state != State.CLOSED && state != State.BROKEN; i++) {
            buffer.clear();
            int count;
            try {
                count = socket.read(buffer);
            } catch (IOException e) {
                breakOff(ControlLoop.plain(e));
                return;
            }
            if (count < 0) {
                breakOff("closed by the peer");
                return;
            }
            if (count == 0) {
                return;
            }
            buffer.flip();
            deliver(manager, buffer, nowNs);
        }
    }

    private void deliver(ConnectionManager manager, ByteBuffer buffer, long nowNs) {
        try {
            while (buffer.hasRemaining() && state == State.OPEN) {
                byte @Nullable [] body = assembler.take(buffer);
                if (body != null) {
                    manager.onMessage(this, ControlCodec.decode(body), nowNs);
                }
            }
        } catch (ControlProtocolException e) {
            manager.onProtocolError(this, e, nowNs);
        }
    }

    private void flush() {
        try {
            while (!outbound.isEmpty()) {
                ByteBuffer first = outbound.getFirst();
                outboundBytes -= socket.write(first);
                if (first.hasRemaining()) {
                    break;
                }
                outbound.removeFirst();
            }
            boolean isFlushed = outbound.isEmpty();
            if (isFlushed && state == State.FLUSHING) {
                state = State.LINGERING;
                socket.shutdownOutput();
            }
            key.interestOps(SelectionKey.OP_READ | (isFlushed ? 0 : SelectionKey.OP_WRITE));
        } catch (IOException e) {
            breakOff(ControlLoop.plain(e));
        }
    }

    /** The connection is of no use any more; who still needs it is told at the end of the turn. */
    private void breakOff(String why) {
        if (state == State.OPEN) {
            state = State.BROKEN;
            trouble = why;
            key.cancel();
            ControlLoop.closeQuietly(socket);
            loop.onBroken(this);
        } else {
            closeNow();
        }
    }

    private void closeNow() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            outbound.clear();
            key.cancel();
            ControlLoop.closeQuietly(socket);
            loop.onClosed(this);
        }
    }

    private static String text(InetSocketAddress address) {
        String host = literal(address.getAddress());
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** The address without its scope. */
    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }
}
