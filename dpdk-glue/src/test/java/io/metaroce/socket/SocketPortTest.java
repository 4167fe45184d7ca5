// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SocketPortTest {
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
}
