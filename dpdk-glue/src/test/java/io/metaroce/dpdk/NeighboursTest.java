// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.IpAddress;
import org.junit.jupiter.api.Test;

class NeighboursTest {
    private static final long MAC = 0x0200_0000_0007L;

    @Test
    void unknownStationsAreSentBroadcastsUntilTheyAreHeard() {
        Neighbours neighbours = Neighbours.parse("", "port0");
        assertThat(neighbours.macOf(0, IpAddress.mapped(7))).isEqualTo(Neighbours.BROADCAST);
        neighbours.learn(0, IpAddress.mapped(7), MAC);
        assertThat(neighbours.macOf(0, IpAddress.mapped(7))).isEqualTo(MAC);
        neighbours.learn(0, IpAddress.mapped(7), MAC + 1);
        assertThat(neighbours.macOf(0, IpAddress.mapped(7))).isEqualTo(MAC + 1);
    }

    @Test
    void whatTheOperatorGaveIsNeverLearnedOver() {
        Neighbours neighbours = Neighbours.parse("192.0.2.7=02:00:00:00:00:07, 2001:db8::7=02:00:00:00:00:08", "port0");
        neighbours.learn(0, IpAddress.mapped(0xc000_0207), 1);
        assertThat(neighbours.macOf(0, IpAddress.mapped(0xc000_0207))).isEqualTo(MAC);
        assertThat(neighbours.macOf(0x2001_0db8_0000_0000L, 7)).isEqualTo(MAC + 1);
    }

    @Test
    void aFullTableLearnsNothingMoreAndForgetsNothing() {
        Neighbours neighbours = Neighbours.parse("", "port0");
        for (int i = 1; i <= 2 * Neighbours.CAPACITY; i++) {
            neighbours.learn(0, IpAddress.mapped(i), i);
        }
        assertThat(neighbours.macOf(0, IpAddress.mapped(1))).isEqualTo(1);
        assertThat(neighbours.macOf(0, IpAddress.mapped(Neighbours.CAPACITY))).isEqualTo(Neighbours.CAPACITY);
        assertThat(neighbours.macOf(0, IpAddress.mapped(Neighbours.CAPACITY + 1)))
                .isEqualTo(Neighbours.BROADCAST);
    }
}
