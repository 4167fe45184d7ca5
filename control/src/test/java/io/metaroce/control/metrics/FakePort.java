// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.metaroce.port.Framing;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;

/** A port that has counted something, or whose counters cannot be read. */
final class FakePort implements PacketPort {
    long value = 7;
    boolean isUnreadable;

    @Override
    public PortCapabilities capabilities() {
        return new PortCapabilities(Framing.DATAGRAM, 8972, 212_992, 8, 64, true, "fake");
    }

    @Override
    public int sourcePort(int index) {
        return 0;
    }

    @Override
    public int receive(PacketBurst burst) {
        return 0;
    }

    @Override
    public int allocate(PacketBurst burst, int count) {
        return 0;
    }

    @Override
    public int transmit(PacketBurst burst) {
        return 0;
    }

    @Override
    public void release(PacketBurst burst) {}

    @Override
    public boolean linkIsUp() {
        return true;
    }

    @Override
    public long counter(PortCounter counter) {
        if (isUnreadable) {
            throw new IllegalStateException("N/A (no PMA)");
        }
        return value;
    }

    @Override
    public void close() {}
}
