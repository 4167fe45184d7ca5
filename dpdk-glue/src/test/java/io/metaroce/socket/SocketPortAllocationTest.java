// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SocketPortAllocationTest {
    private static final int WARM_UP_BURSTS = 1_500;

    /** Measuring and a last compilation cost a few objects; one object per packet would be megabytes. */
    private static final long TOLERANCE_BYTES = 4_096;

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 6400", "::1, 1600"})
    void nothingIsAllocatedPerPacketInEitherDirection(String address, int bursts) {
        Ports.assumeReachable(address);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (SocketPort sender = Ports.open(address);
                SocketPort receiver = Ports.open(address)) {
            PacketBurst out = new PacketBurst(Ports.BURST);
            PacketBurst in = new PacketBurst(Ports.BURST);
            PacketBurst pattern = new PacketBurst(1);
            Ports.address(pattern, 0, sender, 0, address, receiver.udpPort());
            move(sender, receiver, out, in, pattern, WARM_UP_BURSTS);
            long packetsBefore = receiver.counter(PortCounter.RX_PACKETS);
            long before = threads.getCurrentThreadAllocatedBytes();
            move(sender, receiver, out, in, pattern, bursts);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertThat(receiver.counter(PortCounter.RX_PACKETS) - packetsBefore)
                    .isGreaterThanOrEqualTo((long) bursts * Ports.BURST);
            assertThat(allocated).isLessThan(TOLERANCE_BYTES);
        }
    }

    private static void move(
            SocketPort sender, SocketPort receiver, PacketBurst out, PacketBurst in, PacketBurst pattern, int bursts) {
        for (int n = 0; n < bursts; n++) {
            int granted = sender.allocate(out, Ports.BURST);
            for (int i = 0; i < granted; i++) {
                out.length(i, 64);
                out.address(i, pattern.addressHigh(0), pattern.addressLow(0));
                out.scope(i, 0);
                out.remotePort(i, pattern.remotePort(0));
                out.localPort(i, sender.sourcePort(i & 1));
            }
            out.discardFirst(sender.transmit(out));
            sender.release(out);
            while (receiver.receive(in) > 0) {
                receiver.release(in);
            }
            receiver.linkIsUp();
        }
    }
}
