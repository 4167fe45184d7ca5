// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TimestampTest {
    @Property
    @Proves({"MOP-SEQ-11", "MOP-SEQ-12"})
    void elapsedTimeIsRightToTheUnitOnEitherSideOfTheWrap(
            @ForAll @LongRange(min = 0) long sentNs, @ForAll @LongRange(max = 34_000_000_000L) long elapsedNs) {
        long nowNs = (sentNs >>> 2) + elapsedNs;
        long measuredNs = Timestamp.elapsedNs(Timestamp.ofNs(sentNs >>> 2), nowNs);

        assertThat(measuredNs).isBetween(elapsedNs - 15, elapsedNs + 15);
    }

    @Test
    void aTimestampThatRunsAheadOfTheClockGivesANegativeTime() {
        assertThat(Timestamp.elapsedNs(Timestamp.ofNs(1_600), 1_584)).isEqualTo(-16);
    }

    @Test
    void theDelaySaturatesAtBothEnds() {
        assertThat(Timestamp.encodeDelayNs(-1)).isZero();
        assertThat(Timestamp.encodeDelayNs(255)).isZero();
        assertThat(Timestamp.encodeDelayNs(256)).isEqualTo(1);
        assertThat(Timestamp.encodeDelayNs(Long.MAX_VALUE)).isEqualTo(65_535);
        assertThat(Timestamp.decodeDelayNs(65_535)).isEqualTo(16_776_960);
    }
}
