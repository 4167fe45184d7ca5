// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

@Proves("MOP-SEQ-1")
class SerialTest {
    @Test
    void guardsB10ZeroIsAfterTheLargestNumber() {
        assertThat(Serial.isAfter(0, 0xffff_ffff)).isTrue();
        assertThat(Serial.isBefore(0xffff_ffff, 0)).isTrue();
        assertThat(Serial.latest(0xffff_fff0, 5)).isEqualTo(5);
        assertThat(Serial.distance8(0, 255)).isEqualTo(1);
        assertThat(Serial.distance16(3, 0xffff)).isEqualTo(4);
    }

    @Test
    void guardsB10HalfTheRangeIsTheLastThatCounts() {
        assertThat(Serial.isAfter(0x7fff_ffff, 0)).isTrue();
        assertThat(Serial.isAfter(0x8000_0000, 0)).isFalse();
        assertThat(Serial.isAfter(0x8000_0000, 1)).isTrue();
        assertThat(Serial.isBefore(0x8000_0001, 0)).isTrue();
        assertThat(Serial.distance8(127, 0)).isEqualTo(127);
        assertThat(Serial.distance8(0, 127)).isEqualTo(129);
    }

    @Property
    void orderDependsOnlyOnTheDistance(@ForAll int a, @ForAll int b, @ForAll int shift) {
        assertThat(Serial.isAfter(a + shift, b + shift)).isEqualTo(Serial.isAfter(a, b));
        assertThat(Serial.isBefore(a + shift, b + shift)).isEqualTo(Serial.isBefore(a, b));
    }

    @Property
    void exactlyOneOfEqualBeforeAfterHoldsUnlessHalfTheRangeApart(@ForAll int a, @ForAll int b) {
        int holding = (a == b ? 1 : 0) + (Serial.isAfter(a, b) ? 1 : 0) + (Serial.isBefore(a, b) ? 1 : 0);
        assertThat(holding).isEqualTo(1);
        if (a - b != Integer.MIN_VALUE) {
            assertThat(Serial.isAfter(a, b)).isEqualTo(Serial.isBefore(b, a));
            assertThat(Serial.latest(a, b)).isEqualTo(Serial.latest(b, a));
        }
    }

    @Property
    void agreesWithPlainNumbersInsideAWindow(
            @ForAll long base, @ForAll @IntRange(max = 1 << 20) int x, @ForAll @IntRange(max = 1 << 20) int y) {
        assertThat(Serial.isAfter((int) (base + x), (int) (base + y))).isEqualTo(x > y);
        assertThat(Serial.isBefore((int) (base + x), (int) (base + y))).isEqualTo(x < y);
    }

    @Property
    void distancesAreTheNumbersModuloTheirWidth(@ForAll int a, @ForAll int b) {
        assertThat(Serial.distance8(a, b)).isEqualTo(Math.floorMod((long) a - b, 256L));
        assertThat(Serial.distance16(a, b)).isEqualTo(Math.floorMod((long) a - b, 65536L));
    }
}
