// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import io.metaroce.transport.congestion.FixedWindow;
import io.metaroce.wire.Serial;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PathTest {
    private static final long UNIT_NS = 16;

    @Property(tries = 200)
    @Proves("MOP-SEQ-11")
    void timestampsStrictlyIncreaseHoweverOftenTheClockIsRead(
            @ForAll long seed, @ForAll @LongRange(min = 0, max = 1L << 40) long startNs) {
        SplittableRandom random = new SplittableRandom(seed);
        Path path = newPath(4);
        long nowNs = startNs;
        int last = path.nextTimestamp(nowNs);
        for (int i = 0; i < 500; i++) {
            nowNs += random.nextInt(3) == 0 ? random.nextLong(2_000_000_000L) : random.nextInt(20);
            int timestamp = path.nextTimestamp(nowNs);
            int clock = (int) (nowNs / UNIT_NS);

            assertThat(Serial.isAfter(timestamp, last)).isTrue();
            assertThat(timestamp).isEqualTo(Serial.isAfter(clock, last) ? clock : last + 1);
            assertThat(path.isPlausibleEcho(timestamp)).isTrue();
            assertThat(path.isPlausibleEcho(timestamp + 1)).isFalse();
            last = timestamp;
        }
    }

    @Test
    @Proves("MOP-SEQ-12")
    void afterALongPauseTheTimestampIsNowWhateverItWas() {
        Path path = newPath(4);
        path.nextTimestamp(0);
        long muchLaterNs = 40_000_000_000L;

        path.beginEpoch(path.sourcePortIndex(), muchLaterNs);
        path.forgetTimestamp();

        assertThat(path.nextTimestamp(muchLaterNs)).isEqualTo((int) (muchLaterNs / UNIT_NS));
    }

    @Test
    @Proves({"MOP-PATH-15", "MOP-SEQ-11"})
    void aNewEntropyIsANewEpochAndTimestampsGoOn() {
        Path path = newPath(3);
        int before = path.nextTimestamp(1_600);

        path.beginEpoch(1, 1_600);

        assertThat(path.epoch()).isEqualTo(1);
        assertThat(path.sourcePortIndex()).isEqualTo(1);
        assertThat(path.nextTimestamp(1_600)).isEqualTo(before + 1);
    }

    @Test
    void epochsWrapAndEntropiesGoRound() {
        Path path = newPath(3);
        for (int i = 0; i < 256; i++) {
            path.beginEpoch((path.sourcePortIndex() + 1) % 3, 0);
        }

        assertThat(path.epoch()).isZero();
        assertThat(path.sourcePortIndex()).isEqualTo(256 % 3);
    }

    @Test
    @Proves("MOP-LOSS-27")
    void nothingIsAPlausibleEchoBeforeAnythingWasSent() {
        assertThat(newPath(1).isPlausibleEcho(0)).isFalse();
    }

    @Property
    @Proves({"MOP-PATH-26", "MOP-CC-1"})
    void anEmptyPathTakesOnePacketAndAFullOneNone(
            @ForAll @LongRange(min = 1, max = 1 << 24) long windowBytes,
            @ForAll @LongRange(min = 1, max = 1 << 24) long inFlightBytes,
            @ForAll @IntRange(min = 1, max = 8260) int packetBytes) {
        assertThat(PathSelector.freeShare(windowBytes, 0, packetBytes)).isEqualTo(1 << 16);
        long share = PathSelector.freeShare(windowBytes, inFlightBytes, packetBytes);
        assertThat(share >= 0).isEqualTo(inFlightBytes + packetBytes <= windowBytes);
        assertThat(PathSelector.freeShare(windowBytes, inFlightBytes + 100, packetBytes))
                .as("more in flight is never a larger share")
                .isLessThanOrEqualTo(share);
    }

    private static Path newPath(int sourcePorts) {
        return new Path(0, 0, sourcePorts, 0, new FixedWindow(1 << 20));
    }
}
