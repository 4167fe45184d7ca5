// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PacketPortProvider;
import io.metaroce.port.PortSettings;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** The socket port with nothing above it: the ceiling for a protocol on sockets. */
final class SegmentLoop {
    private static final int RUN = 8;
    private static final int HEADER = 64;
    private static final int PAYLOAD = 4096;
    private static final int AREA = 1 << 20;
    /** Packets under way at most: less than the receive buffer holds. */
    private static final int WINDOW = 160;

    private static final long LOOPBACK = IpAddress.mapped(0x7f00_0001);

    private final AtomicLong received = new AtomicLong();
    private final UnsafeBuffer source = new UnsafeBuffer(BufferUtil.allocateDirectAligned(AREA, 64));
    private final UnsafeBuffer target = new UnsafeBuffer(BufferUtil.allocateDirectAligned(AREA, 64));

    private static PacketPort open() {
        PortSettings settings =
                new PortSettings("socket", "bench", 0, "127.0.0.1", 0, 4, 32, HEADER + PAYLOAD, 4 << 20, 0, Map.of());
        return ServiceLoader.load(PacketPortProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.kind().equals("socket"))
                .findFirst()
                .orElseThrow()
                .open(settings);
    }

    double run(int seconds) throws InterruptedException {
        LoopClock clock = new LoopClock(seconds);
        try (PacketPort from = open();
                PacketPort to = open()) {
            Thread sender = new Thread(() -> send(from, to.udpPort(), clock), "bench-sender");
            sender.start();
            receive(to, clock);
            sender.join();
        }
        return clock.bytesPerSecond();
    }

    private void send(PacketPort port, int udpPort, LoopClock clock) {
        PacketBurst burst = new PacketBurst(RUN);
        long sent = 0;
        long at = 0;
        while (!clock.isOver()) {
            if (sent - received.get() > WINDOW || port.allocate(burst, RUN) < RUN) {
                port.release(burst);
                LoopClock.pause();
                continue;
            }
            for (int i = 0; i < RUN; i++) {
                UnsafeApi.copyMemory(source.addressOffset() + at, burst.data(i) + HEADER, PAYLOAD);
                at = (at + PAYLOAD) % AREA;
                burst.length(i, HEADER + PAYLOAD);
                burst.flags(i, Ecn.ECT_0);
                burst.address(i, 0, LOOPBACK);
                burst.scope(i, 0);
                burst.localPort(i, port.sourcePort(0));
                burst.remotePort(i, udpPort);
            }
            int taken = port.transmit(burst);
            sent += taken;
            burst.discardFirst(taken);
            port.release(burst);
        }
    }

    private void receive(PacketPort port, LoopClock clock) {
        PacketBurst burst = new PacketBurst(64);
        long at = 0;
        while (!clock.isOver()) {
            int count = port.receive(burst);
            if (count == 0) {
                LoopClock.pause();
                continue;
            }
            for (int i = 0; i < count; i++) {
                UnsafeApi.copyMemory(burst.data(i) + HEADER, target.addressOffset() + at, PAYLOAD);
                at = (at + PAYLOAD) % AREA;
            }
            port.release(burst);
            received.addAndGet(count);
            clock.onBytes((long) count * PAYLOAD);
        }
    }
}
