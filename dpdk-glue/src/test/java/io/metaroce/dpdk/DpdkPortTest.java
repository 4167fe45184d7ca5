// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A DPDK port over virtual devices, in this very process. */
class DpdkPortTest {
    private final PacketBurst out = new PacketBurst(Devices.BURST);
    private final PacketBurst in = new PacketBurst(Devices.BURST);

    @BeforeEach
    void dpdkIsHere() {
        Devices.assumeDpdk();
    }

    private int send(DpdkPort port, int count, int length) {
        int granted = port.allocate(out, count);
        for (int i = 0; i < granted; i++) {
            Devices.fill(port, out, i, length);
            UnsafeApi.setMemory(out.data(i), length, (byte) i);
        }
        int accepted = port.transmit(out);
        out.discardFirst(accepted);
        port.release(out);
        return accepted;
    }

    @Test
    void payloadsOfEverySizeComeBackWholeWithTheirSenderAndEcn() {
        try (DpdkPort port = Devices.ring("mtu", "9000")) {
            for (int length : new int[] {12, 13, 64, 1_472, 1_473, 4_136, 8_260}) {
                assertThat(send(port, 4, length)).isEqualTo(4);
                assertThat(port.receive(in)).isEqualTo(4);
                for (int i = 0; i < 4; i++) {
                    assertThat(in.length(i)).isEqualTo(length);
                    assertThat(in.ecn(i)).isEqualTo(Ecn.ECT_0);
                    assertThat(in.remotePort(i)).isEqualTo(port.sourcePort(i));
                    assertThat(UnsafeApi.getByte(in.data(i) + length - 1)).isEqualTo((byte) i);
                }
                port.release(in);
            }
            assertThat(port.device().freeBuffers()).isEqualTo(port.device().buffers());
        }
    }

    @Test
    void whatIsNotForUsIsCountedAndItsBufferComesBack() {
        try (DpdkPort port = Devices.ring()) {
            port.allocate(out, 2);
            Devices.fill(port, out, 0, 64);
            out.remotePort(0, 4_800);
            Devices.fill(port, out, 1, 64);
            out.address(1, 0, IpAddress.mapped(0xc000_0207));
            out.discardFirst(port.transmit(out));

            assertThat(port.receive(in)).isZero();
            assertThat(port.counter(PortCounter.RX_FOREIGN)).isEqualTo(2);
            assertThat(port.device().freeBuffers()).isEqualTo(port.device().buffers());
        }
    }

    @Test
    void anAddressOfTheOtherVersionIsCountedAndHoldsNobodyUp() {
        try (DpdkPort port = Devices.ring()) {
            port.allocate(out, 3);
            for (int i = 0; i < 3; i++) {
                Devices.fill(port, out, i, 64);
            }
            out.address(1, 0x2001_0db8_0000_0000L, 1);
            while (!out.isEmpty()) {
                out.discardFirst(port.transmit(out));
            }
            assertThat(port.receive(in)).isEqualTo(2);
            assertThat(port.counter(PortCounter.TX_ERRORS)).isEqualTo(1);
            port.release(in);
            assertThat(port.device().freeBuffers()).isEqualTo(port.device().buffers());
        }
    }

    @Test
    void anExhaustedPoolGrantsWhatItHasAndAFullQueueTakesWhatItCan() {
        try (DpdkPort port = Devices.ring("descriptors", "64")) {
            List<PacketBurst> held = new ArrayList<>();
            int granted = 0;
            PacketBurst next = new PacketBurst(Devices.BURST);
            while (port.allocate(next, Devices.BURST) > 0) {
                granted += next.size();
                held.add(next);
                next = new PacketBurst(Devices.BURST);
            }
            assertThat(granted).isEqualTo(port.device().buffers());
            int accepted = 0;
            for (PacketBurst burst : held) {
                for (int i = 0; i < burst.size(); i++) {
                    Devices.fill(port, burst, i, 64);
                }
                int taken = port.transmit(burst);
                accepted += taken;
                burst.discardFirst(taken);
                port.release(burst);
            }
            assertThat(accepted).isLessThan(granted);
            assertThat(port.counter(PortCounter.TX_BUSY)).isEqualTo(granted - accepted);
            int received = 0;
            while (port.receive(in) > 0) {
                received += in.size();
                port.release(in);
            }
            assertThat(received).isEqualTo(accepted);
            assertThat(port.device().freeBuffers()).isEqualTo(port.device().buffers());
        }
    }

    @Test
    void nothingIsAllocatedOnTheHeapForEachPacket() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (DpdkPort port = Devices.ring()) {
            move(port, 3_000);
            long before = threads.getCurrentThreadAllocatedBytes();
            move(port, 30_000);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertThat(port.counter(PortCounter.RX_PACKETS)).isEqualTo(33_000L * Devices.BURST);
            assertThat(allocated).isLessThan(4_096);
        }
    }

    private void move(DpdkPort port, int bursts) {
        for (int n = 0; n < bursts; n++) {
            int granted = port.allocate(out, Devices.BURST);
            for (int i = 0; i < granted; i++) {
                Devices.fill(port, out, i, 64);
            }
            out.discardFirst(port.transmit(out));
            port.receive(in);
            port.release(in);
        }
    }

    @Test
    void theProcessorsOfTheJvmStayWhole() throws Exception {
        String before = allowedProcessors();
        Eal.start(DpdkOptions.EAL_DEFAULT);
        Thread later = new Thread(() -> {});
        later.start();
        later.join();
        assertThat(allowedProcessors()).isEqualTo(before);
    }

    private static String allowedProcessors() throws Exception {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed:"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyFailureIsOneLineWithItsCause() {
        Eal.start(DpdkOptions.EAL_DEFAULT);
        assertThatThrownBy(() -> Devices.open("net_nothing0"))
                .isInstanceOf(PortException.class)
                .hasMessageContaining("net_nothing0")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> Devices.open("net_af_packet0,iface=nosuch0"))
                .isInstanceOf(PortException.class)
                .hasMessageContaining("net_af_packet0");
        assertThatThrownBy(() -> Devices.ring("eal", "--no-huge --no-pci -m 64"))
                .isInstanceOf(PortException.class)
                .hasMessageContaining("same eal option");
        assertThatThrownBy(() -> Devices.ring("speed", "9"))
                .isInstanceOf(PortException.class)
                .hasMessageContaining("no option 'speed'");
        assertThatThrownBy(() -> Devices.ring("mtu", "big"))
                .isInstanceOf(PortException.class)
                .hasMessageContaining("576 to 9216");
        assertThatThrownBy(() -> Devices.ring("neighbours", "192.0.2.7"))
                .isInstanceOf(PortException.class)
                .hasMessageContaining("'192.0.2.7' is none");
    }
}
