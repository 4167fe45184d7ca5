// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.control.cli.CommandFailure;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoVerdictTest {
    @Test
    void aRunInWhichAllHappenedAndAllBytesAreRightIsOk() {
        assertThat(good().complaints()).isEmpty();
        assertThat(good().json().path("ok").asBoolean()).isTrue();
    }

    /** B107 is among them: faults that were asked for and touched nothing. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void oneThingAmissIsEnoughToFail(String complaint, Consumer<DemoVerdict> fault) {
        DemoVerdict verdict = good();
        fault.accept(verdict);

        assertThat(verdict.isOk()).isFalse();
        assertThat(verdict.complaints()).hasSize(1).first().asString().contains(complaint);
        assertThat(verdict.json().path("ok").asBoolean()).isFalse();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault("no progress", verdict -> verdict.trouble = "no progress"),
                fault("only 99 of 100 bytes", verdict -> verdict.bytesVerified = 99),
                fault("1 bytes are wrong", verdict -> verdict.wrongBytes = 1),
                fault("written after their message", verdict -> verdict.duplicatePlacements = 1),
                fault("nothing was lost", verdict -> verdict.packetsLostByFault = verdict.packetsLostOnKilledPath),
                fault("nothing was sent again", verdict -> verdict.retransmittedPackets = 0),
                fault("did not die", verdict -> verdict.pathsKilled = 0),
                fault("did not come back", verdict -> verdict.pathsRevived = 0),
                fault("nothing vanished on it", verdict -> verdict.packetsLostOnKilledPath = 0),
                fault("/metrics", verdict -> verdict.metricsScraped = 1));
    }

    @Test
    void withoutLossByChanceThePacketsOfTheKilledPathAreTheLoss() {
        DemoVerdict verdict = good();
        verdict.isChanceWanted = false;
        verdict.packetsLostByFault = verdict.packetsLostOnKilledPath;

        assertThat(verdict.complaints()).isEmpty();
    }

    @Test
    void aRunThatNeverBeganHasAGoodputThatJsonCanSay() {
        assertThat(new DemoVerdict().json().path("goodputGbps").asDouble()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"16M,16", "64m,64", "1G,1024", "64GiB,65536", "128MiB,128"})
    void sizesAreMebibytesOrGibibytes(String text, long mebibytes) {
        assertThat(DemoCommand.mebibytes(text)).isEqualTo(mebibytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15M", "65G", "1", "1T", "-16M", "16.5M", "9999999M"})
    void otherSizesAreRefusedWithTheRange(String text) {
        assertThatThrownBy(() -> DemoCommand.mebibytes(text))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("16M to 64G");
    }

    @Test
    void aPercentageAsksForLossUnlessItIsZero() {
        assertThat(List.of("1", "0.5%", "10%")).allMatch(DemoCommand::isLossy);
        assertThat(List.of("0", "0%", "0.00%")).noneMatch(DemoCommand::isLossy);
    }

    private static Arguments fault(String complaint, Consumer<DemoVerdict> fault) {
        return Arguments.of(complaint, fault);
    }

    private static DemoVerdict good() {
        DemoVerdict verdict = new DemoVerdict();
        verdict.bytesWanted = 100;
        verdict.bytesVerified = 100;
        verdict.isChanceWanted = true;
        verdict.packetsLostByFault = 12;
        verdict.packetsLostOnKilledPath = 2;
        verdict.retransmittedPackets = 12;
        verdict.pathsKilled = 1;
        verdict.pathsRevived = 1;
        verdict.metricsScraped = 2;
        verdict.seconds = 1;
        return verdict;
    }
}
