// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A port on an interface that has an MTU, a link-local address and a cable: a veth pair, which needs root. */
@Tag("real")
class RealLinkTest {
    private static final String NEAR = "mopsock0";
    private static final String FAR = "mopsock1";
    private static final String NAMESPACE = "mopsockfar";
    private static final int LOOKS = 17;
    private static final long PATIENCE_NS = 10_000_000_000L;

    @BeforeEach
    void plug() throws Exception {
        assumeTrue(ip("link add " + NEAR + " type veth peer name " + FAR), "skipped: a veth pair needs root");
        ip("link set " + NEAR + " mtu 3000 up");
        ip("link set " + FAR + " mtu 3000 up");
        ip("address add 10.211.77.1/30 dev " + NEAR);
        ip("address add fe80::77/64 dev " + NEAR + " nodad");
    }

    @AfterEach
    void unplug() throws Exception {
        ip("link delete " + NEAR);
        if (Files.exists(Path.of("/run/netns", NAMESPACE))) {
            ip("netns delete " + NAMESPACE);
        }
    }

    private static boolean ip(String arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(("ip " + arguments).split(" ", -1))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean isDone = process.waitFor() == 0;
        if (!isDone) {
            System.out.println("ip " + arguments + ": " + output.strip());
        }
        return isDone;
    }

    /** The kernel itself tells of a carrier up to a second late when it changes often; the port within 16 turns of that. */
    private static boolean becomes(SocketPort port, boolean wanted) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        boolean isUp = !wanted;
        while (isUp != wanted && endNs - System.nanoTime() > 0) {
            for (int i = 0; i < LOOKS; i++) {
                isUp = port.linkIsUp();
            }
        }
        return isUp == wanted;
    }

    @Test
    void aPulledCableIsSeen() throws Exception {
        try (SocketPort port = Ports.open("10.211.77.1")) {
            assertThat(becomes(port, true)).isTrue();

            ip("link set " + FAR + " down");
            assertThat(becomes(port, false)).isTrue();

            ip("link set " + FAR + " up");
            assertThat(becomes(port, true)).isTrue();

            ip("link delete " + NEAR);
            assertThat(becomes(port, false)).isTrue();
        }
    }

    @Test
    void thePacketSizeFollowsTheMtuOfTheInterface() {
        try (SocketPort port = Ports.open("10.211.77.1")) {
            assertThat(port.capabilities().frameBytesMax()).isEqualTo(3000 - 28);
            assertThat(port.capabilities().description()).contains(NEAR, "MTU 3000");
        }
    }

    @Test
    void aPacketThatNoLongerFitsTheMtuIsAnErrorAndNotFragments() throws Exception {
        try (SocketPort port = Ports.open("10.211.77.1")) {
            ip("link set " + NEAR + " mtu 1400");
            PacketBurst burst = new PacketBurst(2);
            port.allocate(burst, 2);
            for (int i = 0; i < 2; i++) {
                Ports.address(burst, i, port, 0, "10.211.77.2", 4795);
                burst.length(i, i == 0 ? 2000 : 1000);
            }

            assertThat(port.transmit(burst)).isEqualTo(2);
            assertThat(port.counter(PortCounter.TX_ERRORS)).isEqualTo(1);
            assertThat(port.counter(PortCounter.TX_PACKETS)).isEqualTo(1);
        }
    }

    // MOP-ENC-8
    @Test
    void aPacketThatArrivesInFragmentsIsDroppedAndCounted() throws Exception {
        ip("netns add " + NAMESPACE);
        ip("link set " + FAR + " netns " + NAMESPACE);
        ip("-n " + NAMESPACE + " address add 10.211.77.2/30 dev " + FAR);
        ip("-n " + NAMESPACE + " link set " + FAR + " mtu 1400 up");
        try (SocketPort port = Ports.open("10.211.77.1")) {
            String target = " >/dev/udp/10.211.77.1/" + port.udpPort();
            String script = "head -c 2500 /dev/zero" + target + "; head -c 1000 /dev/zero" + target;
            Process far = new ProcessBuilder("ip", "netns", "exec", NAMESPACE, "bash", "-c", script).start();
            assertThat(far.waitFor()).isZero();
            PacketBurst burst = new PacketBurst(4);
            assertThat(Ports.receive(port, burst)).isEqualTo(1);

            assertThat(burst.length(0)).isEqualTo(1000);
            assertThat(port.counter(PortCounter.RX_FRAGMENTED)).isEqualTo(1);
            port.release(burst);
        }
    }

    @Test
    void aLinkLocalAddressIsReachedThroughItsScope() {
        try (SocketPort port = Ports.open("fe80::77%" + NEAR)) {
            assertThat(port.capabilities().ecnSeen()).isTrue();
            assertThat(port.capabilities().frameBytesMax()).isEqualTo(3000 - 48);
        }
    }
}
