// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Proves at start that ECN bits are seen: the port sends itself one ECT(0) datagram over the kernel's own loop and looks at
 * what arrives. A kernel, container or filter that hides the bits would otherwise leave congestion control blind (MOP-ENC-15).
 */
final class EcnSelfTest {
    private static final int POLLS_MAX = 100;
    private static final long POLL_PAUSE_NS = 1_000_000;
    private static final int PROBE_BYTES = 16;

    private EcnSelfTest() {}

    /** What came of it; the words are for the port's description. */
    enum Outcome {
        SEEN("ECN seen"),
        WRONG("ECN not seen: the self-test datagram arrived without its ECT(0) mark"),
        LOST("ECN not proven: the self-test datagram did not arrive");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** Runs before anyone else uses the port; takes at most a tenth of a second. Foreign packets are dropped meanwhile. */
    static Outcome run(PacketPort port, LocalAddress address, int udpPort, long nonce) {
        PacketBurst burst = new PacketBurst(8);
        if (port.allocate(burst, 1) != 1) {
            return Outcome.LOST;
        }
        UnsafeBuffer probe = new UnsafeBuffer(burst.data(0), PROBE_BYTES);
        probe.putLong(0, nonce);
        probe.putLong(Long.BYTES, ~nonce);
        burst.length(0, PROBE_BYTES);
        burst.flags(0, Ecn.ECT_0);
        burst.address(0, destinationHigh(address), destinationLow(address));
        burst.scope(0, address.scope());
        burst.localPort(0, port.sourcePort(0));
        burst.remotePort(0, udpPort);
        boolean isSent = port.transmit(burst) == 1;
        if (isSent) {
            burst.size(0);
        } else {
            port.release(burst);
        }
        Outcome outcome = Outcome.LOST;
        for (int i = 0; i < POLLS_MAX && isSent && outcome == Outcome.LOST; i++) {
            port.receive(burst);
            outcome = judge(burst, nonce);
            port.release(burst);
            if (outcome == Outcome.LOST) {
                LockSupport.parkNanos(POLL_PAUSE_NS);
            }
        }
        return outcome;
    }

    private static Outcome judge(PacketBurst burst, long nonce) {
        UnsafeBuffer packet = new UnsafeBuffer(0, 0);
        for (int i = 0; i < burst.size(); i++) {
            burst.frame(i, packet);
            if (packet.capacity() == PROBE_BYTES && packet.getLong(0) == nonce && packet.getLong(8) == ~nonce) {
                return burst.ecn(i) == Ecn.ECT_0 ? Outcome.SEEN : Outcome.WRONG;
            }
        }
        return Outcome.LOST;
    }

    /** A wildcard is reached over the loopback address of its family. */
    static long destinationHigh(LocalAddress address) {
        return address.isWildcard() ? 0 : address.high();
    }

    static long destinationLow(LocalAddress address) {
        if (!address.isWildcard()) {
            return address.low();
        }
        return address.isIpv6() ? 1 : IpAddress.mapped(0x7f00_0001);
    }
}
