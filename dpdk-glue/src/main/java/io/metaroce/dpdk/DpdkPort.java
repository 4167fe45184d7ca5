// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import io.metaroce.link.FrameBuilder;
import io.metaroce.link.LinkParser;
import io.metaroce.link.LinkResult;
import io.metaroce.link.LinkType;
import io.metaroce.link.LinkView;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One queue of a DPDK device. Framing DATAGRAM: a descriptor shows the lane the UDP payload inside its frame; the headers in
 * front are judged here on the way in and written here on the way out, in the same buffer. A handle is an mbuf.
 */
final class DpdkPort implements PacketPort {
    private static final int MULTICAST_SHIFT = 40;
    private static final int SOURCE_PORT_FIRST = 49_152;
    private static final int SOURCE_PORTS = 16_384;
    /** Odd, so that the pool's ports differ, and spread over the bits that switches hash. */
    private static final int SOURCE_PORT_STEP = 4_447;

    private final DpdkDevice device;
    private final Shim shim;
    private final PortCapabilities capabilities;
    private final long addressHigh;
    private final long addressLow;
    private final int udpPort;
    private final int dscp;
    private final int headerBytes;
    private final Neighbours neighbours;
    private final PortCounters counters = new PortCounters();
    private final LinkParser parser = new LinkParser();
    private final LinkView view = new LinkView();
    private final FrameBuilder builder = new FrameBuilder().padded(true);
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    /** Frames that are not for us, between being received and being freed. */
    private final PacketBurst refused = new PacketBurst(PacketBurst.CAPACITY_MAX);
    /** Frames as the device gets them, while the caller's burst shows payloads. */
    private final PacketBurst outgoing = new PacketBurst(PacketBurst.CAPACITY_MAX);

    DpdkPort(
            DpdkDevice device,
            PortCapabilities capabilities,
            byte[] address,
            int udpPort,
            int dscp,
            Neighbours neighbours) {
        this.device = device;
        this.shim = device.shim();
        this.capabilities = capabilities;
        this.addressHigh = IpAddress.high(address);
        this.addressLow = IpAddress.low(address);
        this.udpPort = udpPort;
        this.dscp = dscp;
        this.neighbours = neighbours;
        this.headerBytes = builder.addresses(addressHigh, addressLow, addressHigh, addressLow)
                .headerLength();
    }

    @Override
    public PortCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public int udpPort() {
        return udpPort;
    }

    @Override
    public int sourcePort(int index) {
        return SOURCE_PORT_FIRST + (udpPort + index * SOURCE_PORT_STEP) % SOURCE_PORTS;
    }

    @Override
    public int receive(PacketBurst burst) {
        assert burst.isEmpty();
        int received = shim.metaroce_receive(device.port(), 0, burst.blockAddress(), burst.capacity());
        if (received <= 0) {
            return 0;
        }
        int kept = 0;
        long bytes = 0;
        for (int i = 0; i < received; i++) {
            if (isOurs(burst.data(i), burst.length(i))) {
                bytes += view.payloadLength();
                describe(burst, kept++, burst.handle(i), burst.data(i));
            } else {
                refused.handle(refused.size(), burst.handle(i));
                refused.size(refused.size() + 1);
            }
        }
        if (!refused.isEmpty()) {
            release(refused);
        }
        burst.size(kept);
        counters.add(PortCounter.RX_PACKETS, kept);
        counters.add(PortCounter.RX_BYTES, bytes);
        return kept;
    }

    /** Judges a frame; what is refused is counted. */
    private boolean isOurs(long address, int length) {
        frame.wrap(address, length);
        LinkResult result = parser.parse(LinkType.ETHERNET, frame, 0, length, view);
        if (result == LinkResult.FRAGMENT) {
            counters.add(PortCounter.RX_FRAGMENTED, 1);
            return false;
        }
        long to = view.destinationMac();
        if (result != LinkResult.OK
                || view.destinationPort() != udpPort
                || view.destinationLow() != addressLow
                || view.destinationHigh() != addressHigh
                || (to != device.mac() && (to >>> MULTICAST_SHIFT & 1) == 0)) {
            counters.add(PortCounter.RX_FOREIGN, 1);
            return false;
        }
        neighbours.learn(view.sourceHigh(), view.sourceLow(), view.sourceMac());
        return true;
    }

    private void describe(PacketBurst burst, int index, long handle, long address) {
        burst.handle(index, handle);
        burst.data(index, address + view.payloadOffset());
        burst.length(index, view.payloadLength());
        burst.flags(index, view.ecn());
        burst.address(index, view.sourceHigh(), view.sourceLow());
        burst.remotePort(index, view.sourcePort());
        burst.localPort(index, udpPort);
        burst.scope(index, 0);
    }

    @Override
    public int allocate(PacketBurst burst, int count) {
        assert burst.isEmpty() && count <= burst.capacity();
        int granted = Math.max(0, shim.metaroce_allocate(device.pool(), burst.blockAddress(), burst.capacity(), count));
        for (int i = 0; i < granted; i++) {
            burst.data(i, burst.data(i) + headerBytes);
            burst.length(i, capabilities.frameBytesMax());
            burst.flags(i, 0);
        }
        burst.size(granted);
        return granted;
    }

    @Override
    public int transmit(PacketBurst burst) {
        int count = burst.size();
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            if (IpAddress.isIpv4(burst.addressHigh(i), burst.addressLow(i)) != isIpv4()) {
                if (i == 0) {
                    return drop(burst, 1);
                }
                count = i;
                break;
            }
            frameUp(burst, i);
        }
        if (count == 0) {
            return 0;
        }
        int accepted = shim.metaroce_transmit(device.port(), 0, outgoing.blockAddress(), outgoing.capacity(), count);
        if (accepted < 0) {
            return drop(burst, count);
        }
        for (int i = 0; i < accepted; i++) {
            bytes += burst.length(i);
        }
        counters.add(PortCounter.TX_PACKETS, accepted);
        counters.add(PortCounter.TX_BYTES, bytes);
        counters.add(PortCounter.TX_BUSY, count - accepted);
        return accepted;
    }

    private boolean isIpv4() {
        return IpAddress.isIpv4(addressHigh, addressLow);
    }

    /** MOP-ENC-1: writes the headers in front of a payload. */
    private void frameUp(PacketBurst burst, int index) {
        int length = burst.length(index);
        long start = burst.data(index) - headerBytes;
        long toHigh = burst.addressHigh(index);
        long toLow = burst.addressLow(index);
        frame.wrap(start, Math.max(headerBytes + length, FrameBuilder.FRAME_BYTES_MIN));
        int frameLength = builder.ethernet(neighbours.macOf(toHigh, toLow), device.mac())
                .addresses(addressHigh, addressLow, toHigh, toLow)
                .ports(burst.localPort(index), burst.remotePort(index))
                .trafficClass(dscp, burst.ecn(index))
                .build(frame, 0, length);
        outgoing.handle(index, burst.handle(index));
        outgoing.data(index, start);
        outgoing.length(index, frameLength);
    }

    /** Packets that this port can never send are counted and gone, as with a device that refuses them. */
    private int drop(PacketBurst burst, int count) {
        shim.metaroce_free(burst.blockAddress(), burst.capacity(), count);
        counters.add(PortCounter.TX_ERRORS, count);
        return count;
    }

    @Override
    public void release(PacketBurst burst) {
        shim.metaroce_free(burst.blockAddress(), burst.capacity(), burst.size());
        burst.size(0);
    }

    @Override
    public boolean linkIsUp() {
        return device.linkIsUp();
    }

    @Override
    public long counter(PortCounter counter) {
        return switch (counter) {
            case RX_MISSED -> device.statistic(DpdkDevice.Statistic.MISSED);
            case RX_ERRORS -> device.statistic(DpdkDevice.Statistic.ERRORS);
            case RX_NO_BUFFER -> device.statistic(DpdkDevice.Statistic.NO_BUFFER);
            default -> counters.get(counter);
        };
    }

    DpdkDevice device() {
        return device;
    }

    @Override
    public void close() {
        device.close();
    }
}
