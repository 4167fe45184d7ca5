// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.harness.sim.PortBench.Kind;
import io.metaroce.port.Ecn;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lane relies on, whatever carries its packets: the simulated port, the socket port, and the decorator around one. */
class PacketPortContractTest {
    private static final int BURST = 16;
    private static final int ROUNDS = 400;

    private final PacketBurst out = new PacketBurst(BURST);
    private final PacketBurst in = new PacketBurst(BURST);

    @ParameterizedTest
    @EnumSource(Kind.class)
    void packetsArriveWholeInOrderAndWithTheirSender(Kind kind) {
        try (PortBench bench = kind.open()) {
            List<Integer> arrived = new ArrayList<>();
            for (int number = 0; number < 40; number += 4) {
                send(bench, number, 4);
                bench.awaitArrivals();
                take(bench, arrived);
            }
            bench.settle(() -> take(bench, arrived), () -> arrived.size() == 40);

            assertThat(arrived).hasSize(40).isSorted().doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void nothingWaitsOnAFreshPort(Kind kind) {
        try (PortBench bench = kind.open()) {
            assertThat(bench.receiver().receive(in)).isZero();
            assertThat(in.isEmpty()).isTrue();
            assertThat(bench.receiver().linkIsUp()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void buffersThatAreReleasedNeverRunOut(Kind kind) {
        try (PortBench bench = kind.open()) {
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(bench.sender().allocate(out, BURST)).isEqualTo(BURST);
                bench.sender().release(out);
                assertThat(out.isEmpty()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void buffersAreSeparateAndAsLongAsAnnounced(Kind kind) {
        try (PortBench bench = kind.open()) {
            int bytes = bench.sender().capabilities().frameBytesMax();
            int granted = bench.sender().allocate(out, 5);
            assertThat(granted).isEqualTo(5);
            for (int i = 0; i < granted; i++) {
                UnsafeApi.setMemory(out.data(i), bytes, (byte) (i + 1));
            }
            for (int i = 0; i < granted; i++) {
                assertThat(UnsafeApi.getByte(out.data(i))).isEqualTo((byte) (i + 1));
                assertThat(UnsafeApi.getByte(out.data(i) + bytes - 1)).isEqualTo((byte) (i + 1));
            }
            bench.sender().release(out);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void packetsAreCountedWhereTheyLeaveAndWhereTheyArrive(Kind kind) {
        try (PortBench bench = kind.open()) {
            List<Integer> arrived = new ArrayList<>();
            send(bench, 0, 8);
            bench.settle(() -> take(bench, arrived), () -> arrived.size() == 8);

            assertThat(bench.sender().counter(PortCounter.TX_PACKETS)).isEqualTo(8);
            assertThat(bench.receiver().counter(PortCounter.RX_PACKETS)).isEqualTo(8);
            assertThat(bench.receiver().counter(PortCounter.RX_BYTES))
                    .isEqualTo(bench.sender().counter(PortCounter.TX_BYTES));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void sourcePortsOfThePoolDiffer(Kind kind) {
        try (PortBench bench = kind.open()) {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < bench.sender().capabilities().sourcePortCount(); i++) {
                ports.add(bench.sender().sourcePort(i));
            }
            assertThat(ports).isNotEmpty().doesNotHaveDuplicates().allMatch(port -> port > 0 && port < 1 << 16);
        }
    }

    /** Sends {@code count} packets from one entropy, numbered from {@code first}; all are taken in the end. */
    private void send(PortBench bench, int first, int count) {
        assertThat(bench.sender().allocate(out, count)).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            UnsafeApi.setMemory(out.data(i), length(first + i), (byte) (first + i));
            UnsafeApi.putInt(out.data(i), first + i);
            out.length(i, length(first + i));
            out.flags(i, Ecn.ECT_0);
            out.address(i, bench.addressHigh(), bench.addressLow());
            out.remotePort(i, bench.receiver().udpPort());
            out.localPort(i, bench.sender().sourcePort(1));
            out.scope(i, 0);
        }
        for (int tries = 0; tries < 1_000 && !out.isEmpty(); tries++) {
            out.discardFirst(bench.sender().transmit(out));
        }
        assertThat(out.isEmpty()).isTrue();
    }

    private void take(PortBench bench, List<Integer> arrived) {
        while (bench.receiver().receive(in) > 0) {
            for (int i = 0; i < in.size(); i++) {
                int number = UnsafeApi.getInt(in.data(i));
                assertThat(in.length(i)).isEqualTo(length(number));
                assertThat(UnsafeApi.getByte(in.data(i) + in.length(i) - 1)).isEqualTo((byte) number);
                assertThat(in.remotePort(i)).isEqualTo(bench.sender().sourcePort(1));
                assertThat(in.addressHigh(i)).isZero();
                assertThat(in.addressLow(i)).isEqualTo(bench.senderAddressLow());
                if (bench.receiver().capabilities().ecnSeen()) {
                    assertThat(in.ecn(i)).isEqualTo(Ecn.ECT_0);
                }
                arrived.add(number);
            }
            bench.receiver().release(in);
        }
    }

    private static int length(int number) {
        return 100 + 10 * number;
    }
}
