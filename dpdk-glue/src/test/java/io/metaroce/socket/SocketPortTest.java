// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PacketPortProvider;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortSettings;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SocketPortTest {
    private static final String LOOPBACK = "127.0.0.1";

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "localhost, 127.0.0.1",
        "::1, ::1",
        "0.0.0.0, 127.0.0.1",
        "::, ::1",
        "::, 127.0.0.1",
        "127.0.0.9, 127.0.0.9"
    })
    void aPacketArrivesWithItsBytesItsSourceAndItsMark(String bound, String destination) {
        Ports.assumeReachable(bound);
        try (SocketPort sender = Ports.open(bound);
                SocketPort receiver = Ports.open(bound)) {
            PacketBurst burst = new PacketBurst(Ports.BURST);
            assertThat(sender.allocate(burst, 1)).isEqualTo(1);
            Ports.fill(burst, 0, 1088, 7);
            Ports.address(burst, 0, sender, 3, destination, receiver.udpPort());
            assertThat(sender.transmit(burst)).isEqualTo(1);

            burst.size(0);
            assertThat(Ports.receive(receiver, burst)).isEqualTo(1);

            assertThat(Ports.isFilled(burst, 0, 1088, 7)).isTrue();
            assertThat(burst.remotePort(0)).isEqualTo(sender.sourcePort(3));
            assertThat(burst.localPort(0)).isEqualTo(receiver.udpPort());
            assertThat(burst.ecn(0)).isEqualTo(Ecn.ECT_0);
            assertThat(IpAddress.isIpv4(burst.addressHigh(0), burst.addressLow(0)))
                    .isEqualTo(!destination.contains(":"));
            assertThat(receiver.counter(PortCounter.RX_PACKETS)).isEqualTo(1);
            assertThat(sender.counter(PortCounter.TX_BYTES)).isEqualTo(1088);
            assertThat(receiver.capabilities().ecnSeen()).isTrue();
            receiver.release(burst);
        }
    }

    @Test
    void aBurstOverManyEntropiesArrivesWholeFromTheRightPorts() {
        try (SocketPort sender = Ports.open(LOOPBACK);
                SocketPort receiver = Ports.open(LOOPBACK)) {
            PacketBurst burst = new PacketBurst(Ports.BURST);
            sender.allocate(burst, Ports.BURST);
            int[] entropy = new int[Ports.BURST];
            for (int i = 0; i < Ports.BURST; i++) {
                entropy[i] = i < 10 ? i / 5 : (i * 3) % 8; // Runs of equal ports, then none.
                Ports.fill(burst, i, 100 + i, i);
                Ports.address(burst, i, sender, entropy[i], LOOPBACK, receiver.udpPort());
            }
            assertThat(sender.transmit(burst)).isEqualTo(Ports.BURST);

            burst.size(0);
            int seen = 0;
            while (seen < Ports.BURST && Ports.receive(receiver, burst) > 0) {
                for (int i = 0; i < burst.size(); i++, seen++) {
                    assertThat(Ports.isFilled(burst, i, 100 + seen, seen)).isTrue();
                    assertThat(burst.remotePort(i)).isEqualTo(sender.sourcePort(entropy[seen]));
                }
                receiver.release(burst);
            }
            assertThat(seen).isEqualTo(Ports.BURST);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, 3",
        "127.0.0.1, 127.0.0.1, 1",
        "127.0.0.1, 127.0.0.1, 0",
        "::1, ::1, 3",
        "::, ::1, 3",
        "::, 127.0.0.1, 3"
    })
    void theMarkOfEveryPacketIsSeen(String bound, String destination, int codepoint) throws IOException {
        Ports.assumeReachable(bound);
        try (SocketPort receiver = Ports.open(bound);
                DatagramSocket foreign = new DatagramSocket()) {
            foreign.setTrafficClass(0x20 | codepoint);
            foreign.send(new DatagramPacket(new byte[32], 32, InetAddress.getByName(destination), receiver.udpPort()));
            PacketBurst burst = new PacketBurst(4);
            assertThat(Ports.receive(receiver, burst)).isEqualTo(1);

            assertThat(burst.ecn(0)).isEqualTo(codepoint);
            receiver.release(burst);
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 1", "127.0.0.1, 7", "::1, 1", "::1, 7"})
    void guardsB30EachPacketOfABurstHasItsOwnMark(String bound, int period) throws IOException {
        Ports.assumeReachable(bound);
        int packets = 56;
        try (SocketPort receiver = Ports.open(bound);
                DatagramSocket foreign = new DatagramSocket()) {
            for (int i = 0; i < packets; i++) {
                foreign.setTrafficClass(i / period % 2 == 0 ? Ecn.ECT_0 : Ecn.NOT_ECT);
                foreign.send(new DatagramPacket(new byte[32], 32, InetAddress.getByName(bound), receiver.udpPort()));
            }
            PacketBurst burst = new PacketBurst(Ports.BURST);
            int seen = 0;
            while (seen < packets && Ports.receive(receiver, burst) > 0) {
                for (int i = 0; i < burst.size(); i++, seen++) {
                    assertThat(burst.ecn(i))
                            .as("mark of packet %d", seen)
                            .isEqualTo(seen / period % 2 == 0 ? Ecn.ECT_0 : Ecn.NOT_ECT);
                }
                receiver.release(burst);
            }
            assertThat(seen).isEqualTo(packets);
        }
    }

    @Test
    void aPacketLongerThanABufferIsDroppedAndCounted() throws IOException {
        try (SocketPort receiver = Ports.open(LOOPBACK);
                DatagramSocket foreign = new DatagramSocket()) {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            int tooLong = Ports.FRAME_BYTES + 1;
            foreign.send(new DatagramPacket(new byte[tooLong], tooLong, loopback, receiver.udpPort()));
            foreign.send(new DatagramPacket(new byte[Ports.FRAME_BYTES], tooLong - 1, loopback, receiver.udpPort()));
            foreign.send(new DatagramPacket(new byte[0], 0, loopback, receiver.udpPort()));
            PacketBurst burst = new PacketBurst(8);
            assertThat(Ports.receive(receiver, burst)).isEqualTo(2);

            assertThat(burst.length(0)).isEqualTo(Ports.FRAME_BYTES);
            assertThat(burst.length(1)).isZero();
            assertThat(receiver.counter(PortCounter.RX_TRUNCATED)).isEqualTo(1);
            assertThat(receiver.counter(PortCounter.RX_PACKETS)).isEqualTo(2);
            receiver.release(burst);
        }
    }

    @Test
    void whatTheKernelDroppedIsCountedWhenTheNextPacketArrives() {
        PortSettings small = new PortSettings(
                "socket", "plane0", 0, LOOPBACK, 0, 1, Ports.BURST, Ports.FRAME_BYTES, 4096, 0, Map.of());
        try (SocketPort sender = Ports.open(LOOPBACK);
                SocketPort receiver = SocketPortAssembly.open(small)) {
            PacketBurst burst = new PacketBurst(Ports.BURST);
            for (int i = 0; i < 100; i++) {
                Ports.send(sender, burst, LOOPBACK, receiver.udpPort(), 1000);
            }
            int received = 0;
            while (receiver.receive(burst) > 0) {
                received += burst.size();
                receiver.release(burst);
            }
            Ports.send(sender, burst, LOOPBACK, receiver.udpPort(), 1000);
            received += Ports.receive(receiver, burst);
            receiver.release(burst);

            assertThat(received).isLessThan(101);
            assertThat(received + receiver.counter(PortCounter.RX_MISSED)).isEqualTo(101);
        }
    }

    @Test
    void whatThePortCannotCarryIsCountedAndDoesNotStopTheRest() {
        try (SocketPort sender = Ports.open(LOOPBACK);
                SocketPort receiver = Ports.open(LOOPBACK)) {
            PacketBurst burst = new PacketBurst(4);
            sender.allocate(burst, 4);
            for (int i = 0; i < 4; i++) {
                Ports.fill(burst, i, 64, i);
                Ports.address(burst, i, sender, 0, i == 0 ? "::1" : LOOPBACK, receiver.udpPort());
            }
            burst.localPort(1, sender.udpPort()); // Not of the pool.
            burst.length(2, Ports.FRAME_BYTES + 1);
            assertThat(sender.transmit(burst)).isEqualTo(4);

            burst.size(0);
            assertThat(Ports.receive(receiver, burst)).isEqualTo(1);
            assertThat(Ports.isFilled(burst, 0, 64, 3)).isTrue();
            assertThat(sender.counter(PortCounter.TX_ERRORS)).isEqualTo(3);
            receiver.release(burst);
        }
    }

    @Test
    void nobodyListeningNeitherLosesNorBlocksTheRest() {
        try (SocketPort sender = Ports.open(LOOPBACK);
                SocketPort receiver = Ports.open(LOOPBACK)) {
            int deadPort = closedPort();
            PacketBurst burst = new PacketBurst(Ports.BURST);
            int received = 0;
            for (int round = 0; round < 20; round++) {
                sender.allocate(burst, 2);
                for (int i = 0; i < 2; i++) {
                    Ports.fill(burst, i, 64, i);
                    Ports.address(burst, i, sender, 0, LOOPBACK, i == 0 ? deadPort : receiver.udpPort());
                }
                assertThat(sender.transmit(burst)).isEqualTo(2);
                burst.size(0);
                received += Ports.receive(receiver, burst);
                receiver.release(burst);
            }
            assertThat(received).isEqualTo(20);
            assertThat(sender.counter(PortCounter.TX_ERRORS)).isZero();
        }
    }

    private static int closedPort() {
        try (SocketPort gone = Ports.open(LOOPBACK)) {
            return gone.udpPort();
        }
    }

    @Test
    void closingTwiceClosesNobodyElsesSocket() throws IOException {
        SocketPort port = Ports.open(LOOPBACK);
        port.close();
        try (SocketPort successor = Ports.open(LOOPBACK)) { // Gets the same descriptors.
            port.close();

            PacketBurst burst = new PacketBurst(1);
            Ports.send(successor, burst, LOOPBACK, successor.udpPort(), 64);
            assertThat(Ports.receive(successor, burst)).isEqualTo(1);
            successor.release(burst);
        }
    }

    @Test
    void theSameSeedTakesTheSamePortsAndABusyOneGivesWay() {
        int[] first = new int[8];
        try (SocketPort port = Ports.open(LOOPBACK)) {
            for (int i = 0; i < 8; i++) {
                first[i] = port.sourcePort(i);
            }
            assertThat(first).doesNotHaveDuplicates();
            assertThat(IntStream.of(first)).allMatch(p -> p >= SourcePorts.PORT_MIN && p <= 65535);
            try (SocketPort other = Ports.open(LOOPBACK)) {
                for (int i = 0; i < 8; i++) {
                    assertThat(first).doesNotContain(other.sourcePort(i));
                }
            }
        }
        try (SocketPort again = Ports.open(LOOPBACK)) {
            // Another program may have taken one of them meanwhile, hardly more.
            int same = 0;
            for (int i = 0; i < 8; i++) {
                same += again.sourcePort(i) == first[i] ? 1 : 0;
            }
            assertThat(same).isGreaterThanOrEqualTo(1);
        }
    }

    @Test
    void openingAndClosingLeavesNoDescriptorBehind() throws IOException {
        Ports.open(LOOPBACK).close();
        long before = openDescriptors();
        for (int i = 0; i < 200; i++) {
            SocketPortAssembly.open(new PortSettings("socket", "plane0", 0, LOOPBACK, 0, 4, 4, 1500, 8192, 0, Map.of()))
                    .close();
        }
        assertThat(openDescriptors()).isLessThan(before + 20); // Fewer than 200 x 5: others in this JVM may open some.
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    @Test
    void theProviderIsFoundAndSaysWhatItOpened() {
        PacketPortProvider provider = ServiceLoader.load(PacketPortProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(candidate -> candidate.kind().equals("socket"))
                .findFirst()
                .orElseThrow();
        try (PacketPort port = provider.open(Ports.settings(LOOPBACK, 0))) {
            assertThat(port.capabilities().description())
                    .contains("127.0.0.1:" + port.udpPort(), "on lo", "8 source ports", "ECN seen")
                    .doesNotContain("\n");
            assertThat(port.capabilities().frameBytesMax()).isEqualTo(Ports.FRAME_BYTES);
            assertThat(port.linkIsUp()).isTrue();
        }
    }
}
