// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

@Proves("MOP-PKT-9")
class BacklogTest {
    private static final long SATURATED = Backlog.decode(255);

    @Test
    void nothingWaitingIsZeroAndOnlyThat() {
        assertThat(Backlog.encode(0)).isZero();
        assertThat(Backlog.encode(-1)).isZero();
        assertThat(Backlog.encode(1)).isEqualTo(1);
        assertThat(Backlog.decode(0)).isZero();
    }

    @Test
    void theScaleIsTheSpecifications() {
        for (int code = 1; code <= 255; code++) {
            assertThat(Backlog.decode(code)).isEqualTo(Math.round(Math.pow(2, code / 8.0) * 256));
            assertThat(Backlog.encode(Backlog.decode(code))).isEqualTo(code);
            assertThat(Backlog.encode(Backlog.decode(code) + 1)).isEqualTo(Math.min(255, code + 1));
        }
        assertThat(Backlog.encode(Long.MAX_VALUE)).isEqualTo(255);
    }

    @Property
    void theCodeStandsForAtLeastWhatWaitsAndAtMostTenPercentMore(@ForAll @LongRange(min = 1) long any) {
        long bytes = any % SATURATED + 1;
        long decoded = Backlog.decode(Backlog.encode(bytes));

        assertThat(decoded).isGreaterThanOrEqualTo(bytes);
        assertThat((double) decoded).isLessThanOrEqualTo(Math.max((double) Backlog.decode(1), bytes * 1.1));
    }

    @Property
    void moreBytesNeverGetASmallerCode(@ForAll long a, @ForAll long b) {
        assertThat(Backlog.encode(Math.max(a, b))).isGreaterThanOrEqualTo(Backlog.encode(Math.min(a, b)));
    }
}
