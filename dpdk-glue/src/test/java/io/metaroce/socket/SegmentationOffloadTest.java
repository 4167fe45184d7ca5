// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of packets that pass through the kernel as one arrive as the packets they were. */
class SegmentationOffloadTest {
    private static final int RUN = 15;

    private static SocketPort open(String address, String gso) {
        return SocketPortAssembly.open(new PortSettings(
                "socket",
                "plane0",
                0,
                address,
                0,
                8,
                Ports.BURST,
                Ports.FRAME_BYTES,
                4 << 20,
                0,
                Map.of("seed", "42", "gso", gso)));
    }

    private static void assumeOffload(SocketPort port) {
        assumeTrue(
                port.capabilities().description().endsWith(", segmentation offload"),
                "skipped: this kernel has no segmentation offload");
    }

    /** Sends runs of {@link #RUN} packets, the last of each {@code shorter} bytes shorter, one entropy for each run. */
    private static void send(SocketPort from, SocketPort to, String address, int runs, int length, int shorter) {
        PacketBurst burst = new PacketBurst(RUN);
        for (int run = 0; run < runs; run++) {
            assertThat(from.allocate(burst, RUN)).isEqualTo(RUN);
            for (int i = 0; i < RUN; i++) {
                Ports.fill(burst, i, i == RUN - 1 ? length - shorter : length, run * RUN + i);
                Ports.address(burst, i, from, run % 8, address, to.udpPort());
            }
            assertThat(from.transmit(burst)).isEqualTo(RUN);
            burst.size(0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 100, 0",
        "127.0.0.1, 100, 40",
        "127.0.0.1, 1088, 1",
        "127.0.0.1, 4160, 0",
        "127.0.0.1, 4160, 4000",
        "127.0.0.1, 8256, 8", // Longer than one message takes: cut into two.
        "::1, 4160, 100"
    })
    void everyPacketOfARunArrivesInOrderAndWhole(String address, int length, int shorter) {
        Ports.assumeReachable(address);
        try (SocketPort sender = open(address, "on");
                SocketPort receiver = open(address, "on")) {
            assumeOffload(receiver);
            send(sender, receiver, address, 4, length, shorter);
            PacketBurst burst = new PacketBurst(Ports.BURST);
            int seen = 0;
            while (seen < 4 * RUN && Ports.receive(receiver, burst) > 0) {
                for (int i = 0; i < burst.size(); i++, seen++) {
                    int expected = seen % RUN == RUN - 1 ? length - shorter : length;
                    assertThat(Ports.isFilled(burst, i, expected, seen))
                            .as("packet %d", seen)
                            .isTrue();
                    assertThat(burst.remotePort(i)).isEqualTo(sender.sourcePort(seen / RUN));
                    assertThat(burst.ecn(i)).isEqualTo(2);
                }
                receiver.release(burst);
            }

            assertThat(seen).isEqualTo(4 * RUN);
            assertThat(receiver.counter(PortCounter.RX_PACKETS)).isEqualTo(4 * RUN);
            assertThat(receiver.counter(PortCounter.RX_BYTES)).isEqualTo(4L * (RUN * length - shorter));
            assertThat(sender.counter(PortCounter.TX_SUPER_PACKETS)).isBetween(4L, 12L);
            assertThat(receiver.counter(PortCounter.RX_SUPER_PACKETS)).isPositive();
        }
    }

    @Test
    void whatABurstHasNoRoomForComesWithTheNextAndIsNotOverwrittenMeanwhile() {
        try (SocketPort sender = open("127.0.0.1", "on");
                SocketPort receiver = open("127.0.0.1", "on")) {
            assumeOffload(receiver);
            send(sender, receiver, "127.0.0.1", 20, 300, 0);
            PacketBurst[] held = new PacketBurst[20 * RUN / 4];
            for (int i = 0; i < held.length; i++) {
                held[i] = new PacketBurst(4);
                assertThat(Ports.receive(receiver, held[i])).isEqualTo(4);
            }
            int tag = 0;
            for (PacketBurst burst : held) {
                for (int i = 0; i < 4; i++) {
                    assertThat(Ports.isFilled(burst, i, 300, tag++)).isTrue();
                }
            }
            for (int i = held.length - 1; i >= 0; i--) {
                receiver.release(held[i]);
            }

            // Every buffer is back: as many runs as there are buffers can be held again.
            send(sender, receiver, "127.0.0.1", 100, 300, 0);
            PacketBurst all = new PacketBurst(PacketBurst.CAPACITY_MAX);
            int again = 0;
            while (again < 100 * RUN && Ports.receive(receiver, all) > 0) {
                again += all.size();
                receiver.release(all);
            }
            assertThat(again).isEqualTo(100 * RUN);
            assertThat(receiver.counter(PortCounter.RX_NO_BUFFER)).isZero();
        }
    }

    @Test
    void onePacketOfARunTooMuchReleasedIsAnErrorAtOnce() {
        try (SocketPort sender = open("127.0.0.1", "on");
                SocketPort receiver = open("127.0.0.1", "on")) {
            assumeOffload(receiver);
            send(sender, receiver, "127.0.0.1", 1, 300, 0);
            PacketBurst burst = new PacketBurst(RUN);
            assertThat(Ports.receive(receiver, burst)).isEqualTo(RUN);
            receiver.release(burst);
            burst.size(1);

            assertThatThrownBy(() -> receiver.release(burst)).hasMessageContaining("released twice");
        }
    }

    @Test
    void switchedOffEveryPacketIsAMessageOfItsOwn() {
        try (SocketPort sender = open("127.0.0.1", "off");
                SocketPort receiver = open("127.0.0.1", "off")) {
            assertThat(receiver.capabilities().description()).endsWith("no segmentation offload: switched off");
            assertThat(receiver.capabilities().burstPackets()).isEqualTo(8);
            send(sender, receiver, "127.0.0.1", 2, 1088, 0);
            PacketBurst burst = new PacketBurst(Ports.BURST);
            int seen = 0;
            while (seen < 2 * RUN && Ports.receive(receiver, burst) > 0) {
                seen += burst.size();
                receiver.release(burst);
            }
            assertThat(seen).isEqualTo(2 * RUN);
            assertThat(sender.counter(PortCounter.TX_SUPER_PACKETS)).isZero();
            assertThat(receiver.counter(PortCounter.RX_SUPER_PACKETS)).isZero();
        }
    }

    @Test
    void aSenderWithoutOffloadReachesAReceiverWithItAndTheOtherWayRound() {
        for (String gso : new String[] {"on", "off"}) {
            try (SocketPort sender = open("127.0.0.1", gso);
                    SocketPort receiver = open("127.0.0.1", gso.equals("on") ? "off" : "on")) {
                send(sender, receiver, "127.0.0.1", 1, 4160, 60);
                PacketBurst burst = new PacketBurst(Ports.BURST);
                int seen = 0;
                while (seen < RUN && Ports.receive(receiver, burst) > 0) {
                    for (int i = 0; i < burst.size(); i++, seen++) {
                        assertThat(Ports.isFilled(burst, i, seen == RUN - 1 ? 4100 : 4160, seen))
                                .isTrue();
                    }
                    receiver.release(burst);
                }
                assertThat(seen).isEqualTo(RUN);
            }
        }
    }

    @Test
    void anotherWordThanOnOrOffIsRefusedWithTheChoice() {
        assertThatThrownBy(() -> open("127.0.0.1", "maybe"))
                .isInstanceOf(PortException.class)
                .hasMessage("port plane0: gso must be on or off, was 'maybe'");
    }
}
