// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;

/**
 * A queue made of UDP sockets: one that receives everything, and a pool of sending ones, one per entropy. Framing DATAGRAM.
 * A handle is a slot number; bit 32 tells the pool of packets to be sent from the pool of received ones, so that a received
 * packet may be transmitted as it is.
 */
final class SocketPort implements PacketPort {
    private static final long TRANSMIT_SLOT = 1L << 32;

    private final UdpSocket receiveSocket;
    private final SourcePorts sourcePorts;
    private final SlotPool receiveSlots;
    private final SlotPool transmitSlots;
    private final SocketReceiver receiver;
    private final SocketTransmitter transmitter;
    private final LinkState link;
    private final PortCounters counters;
    private final PortCapabilities capabilities;

    /** Takes finished parts, see {@link SocketPortAssembly}; owns the sockets from here on. */
    SocketPort(SocketPortAssembly parts, PortCapabilities capabilities) {
        this.receiveSocket = parts.receiveSocket();
        this.sourcePorts = parts.sourcePorts();
        this.receiveSlots = parts.receiveSlots();
        this.transmitSlots = parts.transmitSlots();
        this.receiver = parts.receiver();
        this.transmitter = parts.transmitter();
        this.link = parts.link();
        this.counters = parts.counters();
        this.capabilities = capabilities;
    }

    @Override
    public PortCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public int udpPort() {
        return receiver.localPort();
    }

    @Override
    public int sourcePort(int index) {
        return sourcePorts.port(index);
    }

    @Override
    public int receive(PacketBurst burst) {
        return receiver.receive(burst);
    }

    @Override
    public int allocate(PacketBurst burst, int count) {
        assert burst.isEmpty() && count <= burst.capacity();
        int granted = 0;
        while (granted < count) {
            int slot = transmitSlots.take();
            if (slot == SlotPool.NONE) {
                break;
            }
            burst.handle(granted, TRANSMIT_SLOT | slot);
            burst.data(granted, transmitSlots.address(slot));
            burst.length(granted, capabilities.frameBytesMax());
            burst.flags(granted, 0);
            granted++;
        }
        burst.size(granted);
        return granted;
    }

    @Override
    public int transmit(PacketBurst burst) {
        int accepted = transmitter.transmit(burst);
        for (int i = 0; i < accepted; i++) {
            give(burst.handle(i));
        }
        return accepted;
    }

    @Override
    public void release(PacketBurst burst) {
        for (int i = 0; i < burst.size(); i++) {
            give(burst.handle(i));
        }
        burst.size(0);
    }

    private void give(long handle) {
        if ((handle & TRANSMIT_SLOT) != 0) {
            transmitSlots.give((int) handle);
        } else {
            receiveSlots.give((int) handle);
        }
    }

    @Override
    public boolean linkIsUp() {
        return link.isUp();
    }

    @Override
    public long counter(PortCounter counter) {
        return counters.get(counter);
    }

    @Override
    public void close() {
        receiveSocket.close();
        sourcePorts.close();
    }
}
