// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What bursts through {@link SocketPort} are worth against a plain loop over DatagramChannel, one packet per call: the same
 * packets over loopback, from one thread to another, never more of them under way than both receive buffers hold. Rounds of
 * the two alternate, and the ratio is that of neighbours, because the machine changes from minute to minute;
 * where others use it too, the best rounds say more. Usage: {@code SocketPortBenchmark [packets] [rounds] [bytes]}.
 */
public final class SocketPortBenchmark {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;
    private static final int WINDOW_PACKETS = 128;
    private static final int BURST = 32;
    private static final long NS_PER_S = 1_000_000_000;

    private SocketPortBenchmark() {}

    public static void main(String[] args) throws Exception {
        int packets = args.length > 0 ? Integer.parseInt(args[0]) : 300_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 7;
        int length = args.length > 2 ? Integer.parseInt(args[2]) : 4096;
        double[] channel = new double[rounds];
        double[] port = new double[rounds];
        channelRound(packets / 4, length);
        portRound(packets / 4, length);
        for (int i = 0; i < rounds; i++) {
            channel[i] = channelRound(packets, length);
            port[i] = portRound(packets, length);
        }
        report("DatagramChannel, one packet per call", channel);
        report("SocketPort, bursts of " + BURST, port);
        double[] ratios = new double[rounds];
        Arrays.setAll(ratios, i -> port[i] / channel[i]);
        System.out.printf(
                Locale.ROOT,
                "ratio: %.2f of the best rounds, %.2f in the median of neighbours (%d packets of %d bytes, %d rounds)%n",
                best(port) / best(channel),
                median(ratios),
                packets,
                length,
                rounds);
    }

    private static void report(String what, double[] gigabytesPerSecond) {
        double[] sorted = gigabytesPerSecond.clone();
        Arrays.sort(sorted);
        System.out.printf(
                Locale.ROOT,
                "%-38s %.3f GB/s [%.3f-%.3f]%n",
                what,
                median(sorted),
                sorted[0],
                sorted[sorted.length - 1]);
    }

    private static double best(double[] values) {
        return Arrays.stream(values).max().orElse(0);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double channelRound(int packets, int length) throws IOException, InterruptedException {
        try (DatagramChannel sender = DatagramChannel.open();
                DatagramChannel receiver = DatagramChannel.open()) {
            receiver.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            receiver.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .configureBlocking(false);
            sender.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            sender.connect(receiver.getLocalAddress());
            AtomicLong received = new AtomicLong();
            Thread thread = new Thread(() -> receiveFromChannel(receiver, received, packets, length));
            thread.start();
            ByteBuffer bytes = ByteBuffer.allocateDirect(length);
            long startNs = System.nanoTime();
            for (int sent = 0; sent < packets; sent++) {
                awaitRoom(received, sent);
                bytes.clear();
                sender.write(bytes);
            }
            thread.join();
            return (double) packets * length / (System.nanoTime() - startNs) * NS_PER_S / 1e9;
        }
    }

    private static void receiveFromChannel(DatagramChannel receiver, AtomicLong received, int packets, int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        try {
            for (int count = 0; count < packets; ) {
                bytes.clear();
                if (receiver.receive(bytes) != null) {
                    received.setRelease(++count);
                } else {
                    Thread.onSpinWait();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double portRound(int packets, int length) throws InterruptedException {
        try (SocketPort sender = open();
                SocketPort receiver = open()) {
            AtomicLong received = new AtomicLong();
            Thread thread = new Thread(() -> receiveFromPort(receiver, received, packets));
            thread.start();
            PacketBurst burst = new PacketBurst(BURST);
            PacketBurst pattern = new PacketBurst(1);
            Ports.address(pattern, 0, sender, 0, LOOPBACK, receiver.udpPort());
            int spread = sender.capabilities().burstPackets();
            long startNs = System.nanoTime();
            for (int sent = 0; sent < packets; ) {
                awaitRoom(received, sent + BURST - 1);
                int granted = sender.allocate(burst, Math.min(BURST, packets - sent));
                for (int i = 0; i < granted; i++) {
                    burst.length(i, length);
                    burst.address(i, pattern.addressHigh(0), pattern.addressLow(0));
                    burst.scope(i, 0);
                    burst.remotePort(i, pattern.remotePort(0));
                    burst.localPort(i, sender.sourcePort(i / spread));
                }
                int accepted = sender.transmit(burst);
                burst.discardFirst(accepted);
                sender.release(burst);
                sent += accepted;
            }
            thread.join();
            return (double) packets * length / (System.nanoTime() - startNs) * NS_PER_S / 1e9;
        }
    }

    private static SocketPort open() {
        return SocketPortAssembly.open(
                new PortSettings("socket", "bench", 0, LOOPBACK, 0, 8, BURST, 8256, RECEIVE_BUFFER_BYTES, 0, Map.of()));
    }

    private static void receiveFromPort(SocketPort receiver, AtomicLong received, int packets) {
        PacketBurst burst = new PacketBurst(BURST);
        for (int count = 0; count < packets; ) {
            int got = receiver.receive(burst);
            if (got > 0) {
                count += got;
                receiver.release(burst);
                received.setRelease(count);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private static void awaitRoom(AtomicLong received, int sent) {
        while (sent - received.getAcquire() >= WINDOW_PACKETS) {
            Thread.onSpinWait();
        }
    }
}
