// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** What the JDK alone gives over UDP. */
final class ChannelLoop {
    private static final int PAYLOAD = 4096;
    private static final int SMALL = 64;
    private static final int WINDOW = 128;
    private static final long LATENCY_NS_MAX = 10_000_000_000L;
    private static final int BUFFER_BYTES = 4 << 20;

    private ChannelLoop() {}

    private static DatagramChannel open() throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(java.net.StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel.configureBlocking(false);
        return channel;
    }

    static double bandwidth(int seconds) throws IOException, InterruptedException {
        LoopClock clock = new LoopClock(seconds);
        AtomicLong received = new AtomicLong();
        try (DatagramChannel from = open();
                DatagramChannel to = open()) {
            from.connect(to.getLocalAddress());
            Thread sender = new Thread(() -> send(from, received, clock), "bench-sender");
            sender.start();
            ByteBuffer buffer = ByteBuffer.allocateDirect(PAYLOAD);
            while (!clock.isOver()) {
                buffer.clear();
                if (to.receive(buffer) == null) {
                    LoopClock.pause();
                } else {
                    received.incrementAndGet();
                    clock.onBytes(PAYLOAD);
                }
            }
            sender.join();
        }
        return clock.bytesPerSecond();
    }

    private static void send(DatagramChannel channel, AtomicLong received, LoopClock clock) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(PAYLOAD);
        long sent = 0;
        try {
            while (!clock.isOver()) {
                if (sent - received.get() > WINDOW) {
                    LoopClock.pause();
                    continue;
                }
                buffer.clear();
                sent += channel.write(buffer) == PAYLOAD ? 1 : 0;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Sample pingPong(int seconds) throws IOException, InterruptedException {
        LoopClock clock = new LoopClock(seconds);
        Histogram roundTrips = new Histogram(1, LATENCY_NS_MAX, 3);
        try (DatagramChannel near = open();
                DatagramChannel far = open()) {
            near.connect(far.getLocalAddress());
            far.connect(near.getLocalAddress());
            Thread echo = new Thread(() -> echo(far, clock), "bench-echo");
            echo.start();
            ByteBuffer buffer = ByteBuffer.allocateDirect(SMALL);
            while (!clock.isOver()) {
                long sentNs = System.nanoTime();
                buffer.clear();
                near.write(buffer);
                buffer.clear();
                while (near.read(buffer) <= 0 && !clock.isOver()) {
                    Thread.onSpinWait();
                }
                if (clock.isMeasured()) {
                    roundTrips.recordValue(Math.min(LATENCY_NS_MAX, System.nanoTime() - sentNs));
                }
            }
            echo.join();
        }
        return Sample.latency(roundTrips.getValueAtPercentile(50) / 1e3, roundTrips.getValueAtPercentile(99) / 1e3);
    }

    private static void echo(DatagramChannel channel, LoopClock clock) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(SMALL);
        try {
            while (!clock.isOver()) {
                buffer.clear();
                if (channel.read(buffer) > 0) {
                    buffer.flip();
                    channel.write(buffer);
                } else {
                    Thread.onSpinWait();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
