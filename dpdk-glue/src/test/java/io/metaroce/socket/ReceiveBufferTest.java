// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortSettings;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The receive buffer announced really holds what it says, for packets of every size, and while it is being read. */
class ReceiveBufferTest {
    /** What an unprivileged process gets on a host nobody has tuned. */
    private static final int UNTUNED_BYTES = 212_992;

    private static SocketPort open(String address, int receiveBufferBytes) {
        return SocketPortAssembly.open(new PortSettings(
                "socket", "plane0", 0, address, 0, 1, 32, 8256, receiveBufferBytes, 0, Map.of("seed", "3")));
    }

    /** Sends packets that count {@code bytes} in all, and says how many they were. */
    private static int fill(SocketPort sender, SocketPort receiver, String address, int length, long bytes) {
        PacketBurst burst = new PacketBurst(1);
        int count = (int) (bytes / PortCapabilities.bufferedBytes(length));
        for (int i = 0; i < count; i++) {
            sender.allocate(burst, 1);
            burst.length(0, length);
            Ports.address(burst, 0, sender, 0, address, receiver.udpPort());
            assertThat(sender.transmit(burst)).isEqualTo(1);
            burst.size(0);
        }
        return count;
    }

    private static int drain(SocketPort receiver, int max) {
        PacketBurst burst = new PacketBurst(1);
        int count = 0;
        while (count < max && receiver.receive(burst) > 0) {
            receiver.release(burst);
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 212992, 0",
        "127.0.0.1, 212992, 64",
        "127.0.0.1, 212992, 198",
        "127.0.0.1, 212992, 646",
        "127.0.0.1, 212992, 1300",
        "127.0.0.1, 212992, 1670",
        "127.0.0.1, 212992, 3718",
        "127.0.0.1, 212992, 4160",
        "127.0.0.1, 212992, 7814",
        "127.0.0.1, 212992, 8256",
        "127.0.0.1, 4194304, 64",
        "127.0.0.1, 4194304, 4160",
        "127.0.0.1, 1073741824, 4160",
        "::1, 212992, 185",
        "::1, 212992, 3705",
        "::1, 212992, 8256"
    })
    void whatIsAnnouncedFitsWhileNobodyReads(String address, int askedBytes, int length) {
        Ports.assumeReachable(address);
        try (SocketPort sender = open(address, UNTUNED_BYTES);
                SocketPort receiver = open(address, askedBytes)) {
            long announced = Math.min(
                    receiver.capabilities().receiveBufferBytes(), 16 << 20); // A greater one takes long to fill.
            int sent = fill(sender, receiver, address, length, announced);

            assertThat(drain(receiver, sent)).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @CsvSource({"212992, 64", "212992, 1088", "212992, 4160", "4194304, 64", "4194304, 4160", "4194304, 8256"})
    void whatIsAnnouncedFitsWhenRunsTravelAsOne(int askedBytes, int length) {
        try (SocketPort sender = open("127.0.0.1", UNTUNED_BYTES);
                SocketPort receiver = open("127.0.0.1", askedBytes)) {
            int count = (int) (receiver.capabilities().receiveBufferBytes() / PortCapabilities.bufferedBytes(length));
            PacketBurst burst = new PacketBurst(15);
            for (int sent = 0; sent < count; ) {
                int run = Math.min(count - sent, 15);
                assertThat(sender.allocate(burst, run)).isEqualTo(run);
                for (int i = 0; i < run; i++) {
                    burst.length(i, length);
                    Ports.address(burst, i, sender, 0, "127.0.0.1", receiver.udpPort());
                }
                assertThat(sender.transmit(burst)).isEqualTo(run);
                burst.size(0);
                sent += run;
            }

            int received = 0;
            while (receiver.receive(burst) > 0) {
                received += burst.size();
                receiver.release(burst);
            }
            assertThat(received).isEqualTo(count);
        }
    }

    @ParameterizedTest
    @CsvSource({"64", "1300", "4160", "8256"})
    void whatIsAnnouncedFitsWhileALaggingReaderTakesItAway(int length) {
        try (SocketPort sender = open("127.0.0.1", UNTUNED_BYTES);
                SocketPort receiver = open("127.0.0.1", UNTUNED_BYTES)) {
            long announced = receiver.capabilities().receiveBufferBytes();
            int window = (int) (announced / PortCapabilities.bufferedBytes(length));
            int outstanding = 0;
            long charge = PortCapabilities.bufferedBytes(length);
            for (int turn = 0; turn < 500; turn++) {
                outstanding += fill(sender, receiver, "127.0.0.1", length, (window - outstanding) * charge);
                int take = 1 + (turn * 7) % window;
                assertThat(drain(receiver, take)).isEqualTo(Math.min(take, outstanding));
                outstanding -= Math.min(take, outstanding);
            }
            assertThat(receiver.counter(PortCounter.RX_MISSED)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"4160, 30", "1088, 80", "64, 190"})
    void anUntunedHostStillAnnouncesEnoughToWorkWith(int length, int packets) {
        try (SocketPort port = open("127.0.0.1", UNTUNED_BYTES)) {
            assertThat(port.capabilities().receiveBufferBytes() / PortCapabilities.bufferedBytes(length))
                    .isGreaterThanOrEqualTo(packets);
        }
    }
}
