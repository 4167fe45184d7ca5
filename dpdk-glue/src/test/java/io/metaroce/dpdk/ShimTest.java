// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.PacketBurst;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever a caller gets wrong is a number, and the process lives. */
class ShimTest {
    private static final int EINVAL = 22;
    private static final int NO_PORT = 31;

    private final PacketBurst burst = new PacketBurst(32);

    @BeforeEach
    void dpdkIsHere() {
        Devices.assumeDpdk();
    }

    @Test
    void poolsThatAreNoneAreRefused() {
        Shim shim = Eal.start(DpdkOptions.EAL_DEFAULT);
        for (long pool : new long[] {0, 1, -1, burst.blockAddress()}) {
            assertThat(shim.metaroce_allocate(pool, burst.blockAddress(), 32, 32))
                    .isEqualTo(-EINVAL);
            assertThat(shim.metaroce_pool_available(pool)).isEqualTo(-EINVAL);
            assertThat(shim.metaroce_pool_free(pool)).isEqualTo(-EINVAL);
        }
    }

    @Test
    void portsAndQueuesThatDoNotExistAreRefused() {
        Shim shim = Eal.start(DpdkOptions.EAL_DEFAULT);
        for (int port : new int[] {-1, NO_PORT, 1 << 20}) {
            assertThat(shim.metaroce_receive(port, 0, burst.blockAddress(), 32)).isEqualTo(-EINVAL);
            assertThat(shim.metaroce_transmit(port, 0, burst.blockAddress(), 32, 0))
                    .isEqualTo(-EINVAL);
            assertThat(shim.metaroce_port_close(port)).isEqualTo(-EINVAL);
            assertThat(shim.metaroce_port_info(port, burst.blockAddress())).isEqualTo(-EINVAL);
            assertThat(shim.metaroce_port_statistics(port, burst.blockAddress()))
                    .isEqualTo(-EINVAL);
            assertThat(shim.metaroce_link_is_up(port)).isEqualTo(-EINVAL);
        }
        try (DpdkPort ring = Devices.ring()) {
            int port = ring.device().port();
            assertThat(shim.metaroce_receive(port, 1, burst.blockAddress(), 32)).isEqualTo(-EINVAL);
            assertThat(shim.metaroce_port_start(port, 1, 64, ring.device().pool()))
                    .isEqualTo(-EINVAL);
        }
    }

    @Test
    void burstsThatAreNoneAreRefused() {
        try (DpdkPort ring = Devices.ring()) {
            Shim shim = ring.device().shim();
            int port = ring.device().port();
            long pool = ring.device().pool();
            assertThat(shim.metaroce_receive(port, 0, 0, 32)).isEqualTo(-EINVAL);
            assertThat(shim.metaroce_receive(port, 0, burst.blockAddress() + 1, 32))
                    .isEqualTo(-EINVAL);
            assertThat(shim.metaroce_allocate(pool, burst.blockAddress(), 32, 33))
                    .isEqualTo(-EINVAL);
            assertThat(shim.metaroce_allocate(pool, burst.blockAddress(), 257, 1))
                    .isEqualTo(-EINVAL);
            assertThat(shim.metaroce_free(0, 32, 1)).isEqualTo(-EINVAL);
            burst.handle(0, 0);
            assertThat(shim.metaroce_transmit(port, 0, burst.blockAddress(), 32, 1))
                    .isEqualTo(-EINVAL);
        }
    }

    @Test
    void aFrameOutsideItsBufferIsNotSent() {
        try (DpdkPort ring = Devices.ring()) {
            Shim shim = ring.device().shim();
            assertThat(shim.metaroce_allocate(ring.device().pool(), burst.blockAddress(), 32, 1))
                    .isEqualTo(1);
            long data = burst.data(0);
            for (long wrong : new long[] {data - 4_096, data + 65_536, 0}) {
                burst.data(0, wrong);
                burst.length(0, 64);
                assertThat(shim.metaroce_transmit(ring.device().port(), 0, burst.blockAddress(), 32, 1))
                        .isEqualTo(-34);
            }
            burst.data(0, data);
            burst.length(0, 1 << 20);
            assertThat(shim.metaroce_transmit(ring.device().port(), 0, burst.blockAddress(), 32, 1))
                    .isEqualTo(-34);
            assertThat(shim.metaroce_free(burst.blockAddress(), 32, 1)).isZero();
            assertThat(ring.device().freeBuffers()).isEqualTo(ring.device().buffers());
        }
    }

    @Test
    void anArgumentListThatIsNoneIsRefusedBeforeEalSeesIt() {
        Shim shim = ShimLoader.load();
        assertThat(shim.metaroce_eal_init(0, 1)).isEqualTo(-EINVAL);
        assertThat(shim.metaroce_eal_init(burst.blockAddress(), 65)).isEqualTo(-EINVAL);
    }
}
