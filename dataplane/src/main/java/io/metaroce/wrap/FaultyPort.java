// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketClassifier;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import java.util.function.LongSupplier;

/**
 * Any port, made to lose, double, damage, reorder, delay, and to kill paths, as a {@link FaultPlan} says; what it did is in
 * {@link #faults}. The counters of {@link #counter} are the wrapped port's: they count what really passed. Nothing is
 * allocated after construction. With a plan that touches nothing every call goes straight through.
 */
public final class FaultyPort implements PacketPort {
    /** Packets that wait at once in each direction, by detour or delay; more pass untouched and are counted. */
    public static final int STORE_PACKETS = 512;

    private final PacketPort wrapped;
    private final LongSupplier clockNs;
    private final PortCapabilities capabilities;
    private final FaultCounters faults = new FaultCounters();
    private final TransmitFaults transmit;
    private final ReceiveFaults receive;

    /**
     * @param wrapped owned from here on
     * @param control changes the plan at any time, from any thread
     * @param classifier tells what a packet is
     * @param clockNs the lane's clock, read once per call
     */
    public FaultyPort(PacketPort wrapped, FaultControl control, PacketClassifier classifier, LongSupplier clockNs) {
        this.wrapped = wrapped;
        this.clockNs = clockNs;
        PortCapabilities real = wrapped.capabilities();
        this.capabilities = new PortCapabilities(
                real.framing(),
                real.frameBytesMax(),
                real.receiveBufferBytes(),
                real.burstPackets(),
                real.sourcePortCount(),
                real.ecnSeen(),
                real.description() + ", with faults");
        PacketStore sent = new PacketStore(STORE_PACKETS, real.frameBytesMax());
        PacketStore received = new PacketStore(STORE_PACKETS, real.frameBytesMax());
        this.transmit = new TransmitFaults(
                wrapped, new FaultJudge(FaultPlan.Side.TX, control, faults, classifier), sent, received);
        this.receive =
                new ReceiveFaults(wrapped, new FaultJudge(FaultPlan.Side.RX, control, faults, classifier), received);
    }

    /** What the faults did so far; any thread. */
    public FaultCounters faults() {
        return faults;
    }

    @Override
    public PortCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public int udpPort() {
        return wrapped.udpPort();
    }

    @Override
    public int sourcePort(int index) {
        return wrapped.sourcePort(index);
    }

    @Override
    public int receive(PacketBurst burst) {
        long nowNs = clockNs.getAsLong();
        transmit.onTurn(nowNs);
        return receive.receive(burst, nowNs);
    }

    @Override
    public int allocate(PacketBurst burst, int count) {
        return wrapped.allocate(burst, count);
    }

    @Override
    public int transmit(PacketBurst burst) {
        return transmit.transmit(burst, clockNs.getAsLong());
    }

    @Override
    public void release(PacketBurst burst) {
        receive.release(burst);
    }

    @Override
    public boolean linkIsUp() {
        return wrapped.linkIsUp();
    }

    @Override
    public long counter(PortCounter counter) {
        return wrapped.counter(counter);
    }

    @Override
    public void close() {
        transmit.close();
        wrapped.close();
    }
}
