// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who has a packet buffer, and that nobody else has it. */
class SocketPortBuffersTest {
    private static final String LOOPBACK = "127.0.0.1";

    @Test
    void aHeldBurstIsNeverOverwritten() {
        try (SocketPort sender = Ports.openPlain(LOOPBACK);
                SocketPort receiver = Ports.openPlain(LOOPBACK)) {
            PacketBurst burst = new PacketBurst(Ports.BURST);
            PacketBurst[] held = new PacketBurst[6];
            int slots = 4 * Ports.BURST;
            int taken = 0;
            for (int round = 0; round < held.length; round++) {
                sender.allocate(burst, Ports.BURST);
                for (int i = 0; i < Ports.BURST; i++) {
                    Ports.fill(burst, i, 500, round * Ports.BURST + i);
                    Ports.address(burst, i, sender, 0, LOOPBACK, receiver.udpPort());
                }
                assertThat(sender.transmit(burst)).isEqualTo(Ports.BURST);
                burst.size(0);
                held[round] = new PacketBurst(Ports.BURST);
                taken += receiver.receive(held[round]);
            }
            assertThat(taken).isEqualTo(slots);
            assertThat(receiver.counter(PortCounter.RX_NO_BUFFER)).isEqualTo(2);
            int tag = 0;
            for (PacketBurst one : held) {
                for (int i = 0; i < one.size(); i++) {
                    assertThat(Ports.isFilled(one, i, 500, tag++)).isTrue();
                }
            }

            for (PacketBurst one : held) {
                receiver.release(one);
            }
            int rest = 0;
            while (receiver.receive(burst) > 0) {
                for (int i = 0; i < burst.size(); i++) {
                    assertThat(Ports.isFilled(burst, i, 500, slots + rest++)).isTrue();
                }
                receiver.release(burst);
            }
            assertThat(rest).isEqualTo(2 * Ports.BURST);
        }
    }

    @Test
    void scarceBuffersAreUsedToTheLastInAnyOrderOfReturn() {
        try (SocketPort sender = Ports.open(LOOPBACK);
                SocketPort receiver = Ports.open(LOOPBACK)) {
            PacketBurst burst = new PacketBurst(1);
            PacketBurst[] held = new PacketBurst[4 * Ports.BURST - 3];
            for (int i = 0; i < held.length; i++) { // Leaves three buffers in circulation.
                Ports.send(sender, burst, LOOPBACK, receiver.udpPort(), 64);
                held[i] = new PacketBurst(1);
                assertThat(Ports.receive(receiver, held[i])).isEqualTo(1);
            }
            PacketBurst some = new PacketBurst(Ports.BURST);
            for (int round = 0; round < 200; round++) {
                int count = 1 + round % 5;
                for (int i = 0; i < count; i++) {
                    Ports.send(sender, burst, LOOPBACK, receiver.udpPort(), 100 + round);
                }
                int got = 0;
                while (got < count) {
                    int now = receiver.receive(some);
                    assertThat(now).isBetween(1, 3);
                    for (int i = 0; i < now; i++) {
                        assertThat(Ports.isFilled(some, i, 100 + round, 1)).isTrue();
                    }
                    got += now;
                    receiver.release(some);
                }
            }
            for (PacketBurst one : held) {
                assertThat(Ports.isFilled(one, 0, 64, 1)).isTrue();
                receiver.release(one);
            }
        }
    }

    @Test
    void aBufferReleasedTwiceIsAnErrorAtOnce() {
        try (SocketPort port = Ports.open(LOOPBACK)) {
            PacketBurst burst = new PacketBurst(1);
            port.allocate(burst, 1);
            port.release(burst);
            burst.size(1);

            assertThatThrownBy(() -> port.release(burst)).hasMessageContaining("released twice");
        }
    }

    @Test
    void allocationGrantsWhatThereIsAndEveryBufferOnce() {
        try (SocketPort port = Ports.open(LOOPBACK)) {
            PacketBurst first = new PacketBurst(PacketBurst.CAPACITY_MAX);
            PacketBurst second = new PacketBurst(PacketBurst.CAPACITY_MAX);

            assertThat(port.allocate(first, 100)).isEqualTo(100);
            assertThat(port.allocate(second, 100)).isEqualTo(4 * Ports.BURST - 100);

            Set<Long> addresses = new HashSet<>();
            for (int i = 0; i < first.size(); i++) {
                addresses.add(first.data(i));
            }
            for (int i = 0; i < second.size(); i++) {
                addresses.add(second.data(i));
            }
            assertThat(addresses).hasSize(4 * Ports.BURST).allMatch(address -> address % 64 == 0);
            port.release(first);
            port.release(second);
            assertThat(port.allocate(first, 4 * Ports.BURST)).isEqualTo(4 * Ports.BURST);
        }
    }

    @Test
    void aReceivedPacketMayBeSentOnAsItIs() {
        try (SocketPort a = Ports.open(LOOPBACK);
                SocketPort b = Ports.open(LOOPBACK)) {
            PacketBurst burst = new PacketBurst(1);
            for (int i = 0; i < 1_000; i++) { // Far more than there are buffers.
                Ports.send(a, burst, LOOPBACK, b.udpPort(), 200);
                Ports.receive(b, burst);
                Ports.address(burst, 0, b, 1, LOOPBACK, a.udpPort());
                assertThat(b.transmit(burst)).isEqualTo(1);
                burst.size(0);
                assertThat(Ports.receive(a, burst)).isEqualTo(1);
                assertThat(Ports.isFilled(burst, 0, 200, 1)).isTrue();
                a.release(burst);
            }
        }
    }
}
