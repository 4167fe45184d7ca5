// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketClassifier;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PacketPortProvider;
import io.metaroce.port.PortSettings;
import io.metaroce.wrap.FaultControl;
import io.metaroce.wrap.FaultPlan;
import io.metaroce.wrap.FaultyPort;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;

/** Two ports of one kind that reach each other. */
final class PortBench implements AutoCloseable {
    private static final int LOOPBACK = 0x7f00_0001;
    private static final int FRAME_BYTES = 1_500;
    private static final long SETTLE_NS = 5_000_000_000L;

    enum Kind {
        SIMULATED,
        SOCKET,
        /** The decorator, told to do nothing, around simulated ports. */
        DECORATED;

        PortBench open() {
            return this == SOCKET ? openSockets() : openSimulated(this == DECORATED);
        }
    }

    private final PacketPort sender;
    private final PacketPort receiver;
    private final long senderAddressLow;
    private final long addressLow;
    private final Runnable passTime;
    private final Runnable dispose;

    private PortBench(PacketPort[] ends, long[] addressesLow, Runnable passTime, Runnable dispose) {
        this.sender = ends[0];
        this.receiver = ends[1];
        this.senderAddressLow = addressesLow[0];
        this.addressLow = addressesLow[1];
        this.passTime = passTime;
        this.dispose = dispose;
    }

    private static PortBench openSockets() {
        PacketPort[] ends = {openSocket(), openSocket()};
        long loopback = IpAddress.mapped(LOOPBACK);
        return new PortBench(ends, new long[] {loopback, loopback}, () -> {}, () -> {});
    }

    private static PacketPort openSocket() {
        PortSettings settings = new PortSettings(
                "socket", "contract", 0, "127.0.0.1", 0, 8, 32, FRAME_BYTES, 1 << 20, 0, Map.of("seed", "42"));
        for (PacketPortProvider provider : ServiceLoader.load(PacketPortProvider.class)) {
            if (provider.kind().equals(settings.kind())) {
                return provider.open(settings);
            }
        }
        throw new AssertionError("no provider of socket ports on the class path");
    }

    private static PortBench openSimulated(boolean isDecorated) {
        SeededRandom random = new SeededRandom(1);
        SimWire wire = new SimWire(random, FaultMix.NONE, 1_000, 0);
        SimPort.Shape shape = new SimPort.Shape(256, FRAME_BYTES, 1 << 20, 1, 0);
        SimPort[] ports = {new SimPort(wire, random, 0, shape), new SimPort(wire, random, 1, shape)};
        PacketPort[] ends = {ports[0], ports[1]};
        if (isDecorated) {
            ends = new PacketPort[] {decorated(ports[0]), decorated(ports[1])};
        }
        Runnable land = () -> {
            while (wire.nextArrivalNs() != Long.MAX_VALUE) {
                SimWire.Flight flight = wire.land();
                ports[flight.to()].onFlight(flight);
                wire.giveBack(flight);
            }
        };
        return new PortBench(ends, new long[] {SimPort.addressOf(0), SimPort.addressOf(1)}, land, () -> {
            for (SimPort port : ports) {
                assertThat(port.freeBuffers()).as("buffers given back").isEqualTo(port.buffers());
                port.dispose();
            }
        });
    }

    private static PacketPort decorated(PacketPort port) {
        return new FaultyPort(port, new FaultControl(FaultPlan.NONE), PacketClassifier.ALL_DATA, () -> 0);
    }

    PacketPort sender() {
        return sender;
    }

    PacketPort receiver() {
        return receiver;
    }

    long senderAddressLow() {
        return senderAddressLow;
    }

    long addressHigh() {
        return 0;
    }

    long addressLow() {
        return addressLow;
    }

    void awaitArrivals() {
        passTime.run();
    }

    /** Lets time pass, and takes, until it is done. */
    void settle(Runnable take, BooleanSupplier isDone) {
        long endNs = System.nanoTime() + SETTLE_NS;
        while (!isDone.getAsBoolean() && System.nanoTime() - endNs < 0) {
            passTime.run();
            take.run();
        }
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
        dispose.run();
    }
}
