// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports over virtual devices that exist wherever DPDK does; each test gets a device of its own, EAL is all tests'. */
final class Devices {
    static final String ADDRESS = "192.0.2.1";
    static final int ADDRESS_NUMBER = 0xc000_0201;
    static final int BURST = 32;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private Devices() {}

    static void assumeDpdk() {
        assumeTrue(ShimLoader.failure() == null, () -> "skipped: " + ShimLoader.failure());
    }

    /** What is sent comes back to the same port. */
    static DpdkPort ring(String... options) {
        return open("net_ring" + NUMBERS.getAndIncrement(), options);
    }

    static DpdkPort open(String device, String... options) {
        return (DpdkPort) new DpdkPortProvider().open(settings(device, options));
    }

    static PortSettings settings(String device, String... options) {
        Map<String, String> all = new HashMap<>(Map.of("device", device));
        for (int i = 0; i < options.length; i += 2) {
            all.put(options[i], options[i + 1]);
        }
        return new PortSettings("dpdk", "test", 0, ADDRESS, 4795, 8, BURST, 8_272, 1 << 20, 0, all);
    }

    /** A packet of {@code length} bytes from the port to itself. */
    static void fill(DpdkPort port, PacketBurst burst, int index, int length) {
        burst.length(index, length);
        burst.flags(index, Ecn.ECT_0);
        burst.address(index, 0, IpAddress.mapped(ADDRESS_NUMBER));
        burst.localPort(index, port.sourcePort(index & 7));
        burst.remotePort(index, port.udpPort());
        burst.scope(index, 0);
    }
}
