// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the connection writes its next packet, and where that packet is to go. One reused object for each lane.
 *
 * <p>Buffers belong to ports, and each plane has its own port, so the owner offers one buffer for each plane and
 * {@link #route} picks: the connection must route first and write then, or the packet would have to be copied.
 */
public final class TransmitFrame {
    private static final int PLANES_MAX = 8;

    private final long[] addresses = new long[PLANES_MAX];
    private final int[] capacities = new int[PLANES_MAX];
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private boolean isWritable;
    private int plane;
    private int sourcePortIndex;
    private long addressHigh;
    private long addressLow;
    private int scope;
    private int udpPort;

    /** Offers one piece of native memory of {@code capacityBytes}, at least the largest packet, for whatever plane. */
    public void wrap(long address, int capacityBytes) {
        for (int i = 0; i < PLANES_MAX; i++) {
            offer(i, address, capacityBytes);
        }
        buffer.wrap(address, capacityBytes);
        isWritable = true;
    }

    /** Offers native memory of {@code capacityBytes}, at least the largest packet, for packets of one plane. */
    public void offer(int forPlane, long address, int capacityBytes) {
        addresses[forPlane] = address;
        capacities[forPlane] = capacityBytes;
        isWritable = false;
    }

    /** The packet's bytes; meaningful after {@link #route}. */
    public UnsafeBuffer buffer() {
        assert isWritable : "the packet was not routed, so nobody knows whose buffer it goes into";
        return buffer;
    }

    void route(int toPlane, ConnectionSettings.Plane destination, int entropy) {
        plane = toPlane;
        isWritable = true;
        buffer.wrap(addresses[toPlane], capacities[toPlane]);
        sourcePortIndex = entropy;
        // MOP-SEC-7
        addressHigh = destination.addressHigh();
        addressLow = destination.addressLow();
        scope = destination.scope();
        // MOP-ENC-16
        udpPort = destination.udpPort();
    }

    /** Plane, and so port of the lane, that must carry the packet. */
    public int plane() {
        return plane;
    }

    /** Which entropy of that port's pool: an index for {@code PacketPort.sourcePort}. */
    public int sourcePortIndex() {
        return sourcePortIndex;
    }

    public long addressHigh() {
        return addressHigh;
    }

    public long addressLow() {
        return addressLow;
    }

    public int scope() {
        return scope;
    }

    public int udpPort() {
        return udpPort;
    }
}
