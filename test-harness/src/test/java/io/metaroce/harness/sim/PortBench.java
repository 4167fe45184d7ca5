// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Two ports of one kind that reach each other. */
final class PortBench implements AutoCloseable {
    private static final int LOOPBACK = 0x7f00_0001;
    private static final int TEST_NET = 0xc000_0201;
    /** A device that was closed leaves its name to nobody. */
    private static final AtomicInteger RINGS = new AtomicInteger();

    private static final int FRAME_BYTES = 1_500;
    private static final long SETTLE_NS = 5_000_000_000L;

    enum Kind {
        SIMULATED,
        SOCKET,
        /** One port, whose device gives back what it is given. */
        DPDK,
        /** The decorator, told to do nothing, around simulated ports. */
        DECORATED;

        PortBench open() {
            return switch (this) {
                case SOCKET -> openSockets();
                case DPDK -> openDpdk();
                case SIMULATED, DECORATED -> openSimulated(this == DECORATED);
            };
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

    private static PortBench openDpdk() {
        String missing = provider("dpdk").missing();
        assumeTrue(missing == null, "skipped: " + missing);
        PacketPort port =
                open("dpdk", "192.0.2.1", Map.of("device", "net_ring" + RINGS.getAndIncrement(), "mtu", "2000"));
        long address = IpAddress.mapped(TEST_NET);
        return new PortBench(new PacketPort[] {port, port}, new long[] {address, address}, () -> {}, () -> {});
    }

    private static PacketPort openSocket() {
        return open("socket", "127.0.0.1", Map.of("seed", "42"));
    }

    private static PacketPort open(String kind, String address, Map<String, String> options) {
        PortSettings settings =
                new PortSettings(kind, "contract", 0, address, 0, 8, 32, FRAME_BYTES, 1 << 20, 0, options);
        return provider(kind).open(settings);
    }

    private static PacketPortProvider provider(String kind) {
        for (PacketPortProvider provider : ServiceLoader.load(PacketPortProvider.class)) {
            if (provider.kind().equals(kind)) {
                return provider;
            }
        }
        throw new AssertionError("no provider of " + kind + " ports on the class path");
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
        if (receiver != sender) {
            receiver.close();
        }
        dispose.run();
    }
}
