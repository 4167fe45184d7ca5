// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortSettings;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UdpSocketTest {
    private static final int DSCP = 46;
    private static final int TRIES_MAX = 10_000;

    // MOP-ENC-12, MOP-ENC-14
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "::1, ::1", "::, ::1", "::, 127.0.0.1"})
    void everyPacketCarriesTheCodepointAskedForAndEct0(String bound, String destination) {
        Ports.assumeReachable(bound);
        PortSettings settings = new PortSettings("socket", "plane0", 0, bound, 0, 1, 1, 2048, 1 << 16, DSCP, Map.of());
        LocalAddress address = LocalAddress.resolve(settings);
        try (SocketPort sender = SocketPortAssembly.open(settings);
                UdpSocket socket = new UdpSocket(address)) {
            assertThat(socket.bind(0)).isZero();
            socket.reportOnReceive();
            PacketBurst burst = new PacketBurst(1);
            Ports.send(sender, burst, destination, socket.boundPort(), 64);

            MessageVector vector = new MessageVector(1, address.isIpv6(), MessageVector.CONTROL_BYTES);
            sender.allocate(burst, 1); // Any memory to receive into.
            vector.data(0, burst.data(0), 64);
            int received = 0;
            for (int i = 0; i < TRIES_MAX && received != 1; i++) {
                received = LibCLoader.load().recvmmsg(socket.fd(), vector.address(0), 1, 0, 0);
                LockSupport.parkNanos(10_000);
            }
            assertThat(received).isEqualTo(1);
            vector.readControl(0, 0);
            vector.source(0, burst, 0);

            assertThat(vector.trafficClass()).isEqualTo(DSCP << 2 | 2);
            assertThat(IpAddress.isIpv4(burst.addressHigh(0), burst.addressLow(0)))
                    .isEqualTo(!destination.contains(":"));
            sender.release(burst);
        }
    }
}
