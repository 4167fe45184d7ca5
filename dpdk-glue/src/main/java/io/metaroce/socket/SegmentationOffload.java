// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.Ecn;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Whether the kernel carries runs of packets as one: UDP_SEGMENT when sending, UDP_GRO when receiving. Linux pays 3 to 6 us
 * for every message that passes through it, nearly whatever its length, so nothing else makes sockets as fast. Asked for at
 * start and proven by a run of three packets that the port sends itself; without it the port works the same, more slowly.
 */
final class SegmentationOffload {
    /** Option word: {@code off} leaves the offload alone. */
    static final String OPTION = "gso";

    /** Room for the longest message that the kernel merges. */
    static final int MESSAGE_BYTES = 65_536;

    private static final int[] PROBE_BYTES = {96, 96, 41};
    private static final int POLLS_MAX = 50;
    private static final long POLL_PAUSE_NS = 1_000_000;

    private final UdpSocket receiveSocket;
    private boolean segments;
    private boolean merges;
    private String text;

    /** Asks the kernel; {@link #prove} must follow. */
    SegmentationOffload(PortSettings settings, UdpSocket receiveSocket) {
        this.receiveSocket = receiveSocket;
        if (isSwitchedOff(settings)) {
            text = "no segmentation offload: switched off";
            return;
        }
        segments = receiveSocket.knowsSegmentation();
        merges = receiveSocket.mergeOnReceive();
        if (!segments) {
            text = "no segmentation offload: needs Linux 4.18";
        } else {
            text = merges
                    ? "segmentation offload"
                    : "segmentation offload when sending only: receiving needs Linux 5.0";
        }
    }

    /** Checks the option word, before anything is opened. */
    static boolean isSwitchedOff(PortSettings settings) {
        String word = settings.options().getOrDefault(OPTION, "on");
        if (!word.equals("on") && !word.equals("off")) {
            throw new PortException("port " + settings.name() + ": gso must be on or off, was '" + word + "'");
        }
        return word.equals("off");
    }

    boolean segments() {
        return segments;
    }

    boolean merges() {
        return merges;
    }

    /** What the port has of it, and why not all if it has not; for the port's description. */
    String text() {
        return text;
    }

    /** Sends a run to ourselves; what does not come back as it was sent is not used. */
    void prove(SocketPort port, SocketTransmitter transmitter, LocalAddress address, int udpPort) {
        if (!segments || runArrivesWhole(port, address, udpPort)) {
            if (segments && !transmitter.segments()) {
                text = "no segmentation offload: the device cannot compute checksums";
            }
            return;
        }
        transmitter.doNotSegment();
        receiveSocket.doNotMergeOnReceive();
        text = "no segmentation offload: the self-test run did not arrive as it was sent";
    }

    private static boolean runArrivesWhole(SocketPort port, LocalAddress address, int udpPort) {
        PacketBurst burst = new PacketBurst(8);
        int sent = 0;
        if (port.allocate(burst, PROBE_BYTES.length) == PROBE_BYTES.length) {
            for (int i = 0; i < PROBE_BYTES.length; i++) {
                new UnsafeBuffer(burst.data(i), PROBE_BYTES[i]).setMemory(0, PROBE_BYTES[i], (byte) (i + 1));
                burst.length(i, PROBE_BYTES[i]);
                burst.flags(i, Ecn.ECT_0);
                burst.address(i, EcnSelfTest.destinationHigh(address), EcnSelfTest.destinationLow(address));
                burst.scope(i, address.scope());
                burst.localPort(i, port.sourcePort(0));
                burst.remotePort(i, udpPort);
            }
            sent = port.transmit(burst);
            burst.discardFirst(sent);
        }
        port.release(burst);
        int arrived = 0;
        for (int poll = 0; poll < POLLS_MAX && sent == PROBE_BYTES.length && arrived < sent; poll++) {
            port.receive(burst);
            for (int i = 0; i < burst.size(); i++) {
                arrived += arrived < sent && isProbe(burst, i, arrived) ? 1 : 0;
            }
            boolean isNothing = burst.isEmpty();
            port.release(burst);
            if (isNothing) {
                LockSupport.parkNanos(POLL_PAUSE_NS);
            }
        }
        return arrived == PROBE_BYTES.length;
    }

    private static boolean isProbe(PacketBurst burst, int i, int probe) {
        int length = PROBE_BYTES[probe];
        if (burst.length(i) != length) {
            return false;
        }
        UnsafeBuffer packet = new UnsafeBuffer(burst.data(i), length);
        return packet.getByte(0) == probe + 1 && packet.getByte(length - 1) == probe + 1;
    }
}
