// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import org.agrona.concurrent.UnsafeBuffer;

/** Where the connection writes its next packet, and where that packet is to go. One reused object for each lane. */
public final class TransmitFrame {
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private int plane;
    private int sourcePortIndex;
    private long addressHigh;
    private long addressLow;
    private int scope;
    private int udpPort;

    /** Offers native memory of {@code capacityBytes}, at least the largest packet. */
    public void wrap(long address, int capacityBytes) {
        buffer.wrap(address, capacityBytes);
    }

    /** The packet's bytes. */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    void route(int toPlane, ConnectionSettings.Plane destination, int entropy) {
        plane = toPlane;
        sourcePortIndex = entropy;
        addressHigh = destination.addressHigh();
        addressLow = destination.addressLow();
        scope = destination.scope();
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
