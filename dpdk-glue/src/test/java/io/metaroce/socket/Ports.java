// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** Opens ports for tests and moves packets between them. */
final class Ports {
    static final int FRAME_BYTES = 8256;
    static final int BURST = 32;

    private static final long ARRIVAL_TIMEOUT_NS = 5_000_000_000L;
    private static final long PAUSE_NS = 50_000;

    private Ports() {}

    static PortSettings settings(String address, int udpPort) {
        return new PortSettings(
                "socket", "plane0", 0, address, udpPort, 8, BURST, FRAME_BYTES, 1 << 20, 0, Map.of("seed", "42"));
    }

    static SocketPort open(String address) {
        return SocketPortAssembly.open(settings(address, 0));
    }

    /** Without segmentation offload, so that every packet is a message of its own. */
    static SocketPort openPlain(String address) {
        Map<String, String> options = Map.of("seed", "42", "gso", "off");
        return SocketPortAssembly.open(
                new PortSettings("socket", "plane0", 0, address, 0, 8, BURST, FRAME_BYTES, 1 << 20, 0, options));
    }

    /** Skips a test of IPv6 on a host without it. */
    static void assumeReachable(String address) {
        assumeTrue(!address.contains(":") || hasIpv6(), "skipped: this host has IPv6 switched off");
    }

    private static boolean hasIpv6() {
        try {
            return !Files.readString(Path.of("/proc/net/if_inet6")).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** Addresses descriptor {@code i} to another port, from one of the sender's entropies. */
    static void address(PacketBurst burst, int i, PacketPort from, int entropy, String host, int remotePort) {
        try {
            byte[] bytes = InetAddress.getByName(host).getAddress();
            burst.address(i, IpAddress.high(bytes), IpAddress.low(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
        burst.scope(i, 0);
        burst.flags(i, Ecn.ECT_0);
        burst.localPort(i, from.sourcePort(entropy));
        burst.remotePort(i, remotePort);
    }

    /** Fills a descriptor's packet with {@code length} bytes that depend on {@code tag}. */
    static void fill(PacketBurst burst, int i, int length, int tag) {
        UnsafeBuffer packet = new UnsafeBuffer(burst.data(i), length);
        for (int at = 0; at < length; at++) {
            packet.putByte(at, (byte) (tag * 31 + at * 7));
        }
        burst.length(i, length);
    }

    static boolean isFilled(PacketBurst burst, int i, int length, int tag) {
        if (burst.length(i) != length) {
            return false;
        }
        UnsafeBuffer packet = new UnsafeBuffer(burst.data(i), length);
        for (int at = 0; at < length; at++) {
            if (packet.getByte(at) != (byte) (tag * 31 + at * 7)) {
                return false;
            }
        }
        return true;
    }

    /** Sends one packet from the first entropy; the burst is empty before and after. */
    static void send(PacketPort from, PacketBurst burst, String host, int remotePort, int length) {
        from.allocate(burst, 1);
        fill(burst, 0, length, 1);
        address(burst, 0, from, 0, host, remotePort);
        assertThat(from.transmit(burst)).isEqualTo(1);
        burst.size(0);
    }

    /** Polls until something arrives; loopback needs no more than one poll, a loaded machine may. */
    static int receive(PacketPort port, PacketBurst burst) {
        long deadlineNs = System.nanoTime() + ARRIVAL_TIMEOUT_NS;
        int received = port.receive(burst);
        while (received == 0 && System.nanoTime() < deadlineNs) {
            LockSupport.parkNanos(PAUSE_NS);
            received = port.receive(burst);
        }
        return received;
    }
}
