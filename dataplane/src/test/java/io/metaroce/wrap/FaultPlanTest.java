// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultPlanTest {
    @Test
    void aWholePlanIsReadWordByWord() {
        FaultPlan plan = FaultPlan.parse("loss=1%,reorder=0.5%/5,dup=1/1000,corrupt=0.0001,delay=200us,"
                + "path-kill=3@2s-5s,path-kill=7,seed=42,side=both,only=data,mtu=1472");

        assertThat(plan.lossPpb()).isEqualTo(10_000_000);
        assertThat(plan.reorderPpb()).isEqualTo(5_000_000);
        assertThat(plan.reorderDepth()).isEqualTo(5);
        assertThat(plan.dupPpb()).isEqualTo(1_000_000);
        assertThat(plan.corruptPpb()).isEqualTo(100_000);
        assertThat(plan.delayNs()).isEqualTo(200_000);
        assertThat(plan.pathKills()).containsExactly(new PathKill(3, 2_000_000_000L, 5_000_000_000L));
        assertThat(plan.killedPaths()).isEqualTo(PathSet.EMPTY.with(7));
        assertThat(plan.seed()).isEqualTo(42);
        assertThat(plan.side()).isEqualTo(FaultPlan.Side.BOTH);
        assertThat(plan.target()).isEqualTo(FaultPlan.Target.DATA);
        assertThat(plan.longestBytes()).isEqualTo(1_472);
    }

    @Test
    void emptyTextIsNoFault() {
        assertThat(FaultPlan.parse("")).isEqualTo(FaultPlan.NONE);
        assertThat(FaultPlan.parse("  ")).isEqualTo(FaultPlan.NONE);
        assertThat(FaultPlan.parse("loss=0")).isEqualTo(FaultPlan.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "1%, 10000000",
        "100%, 1000000000",
        "1, 1000000000",
        "0.0000001%, 1",
        ".5, 500000000",
        "1/3, 333333333",
        "0%, 0"
    })
    void ratesAreExact(String text, int ppb) {
        assertThat(FaultPlan.parse("loss=" + text).lossPpb()).isEqualTo(ppb);
    }

    @ParameterizedTest
    @CsvSource({"1/100, 10000000, 3", "1/100/7, 10000000, 7", "1%/64, 10000000, 64", "0.01/1, 10000000, 1"})
    void aDepthIsToldFromAQuotient(String text, int ppb, int depth) {
        FaultPlan plan = FaultPlan.parse("reorder=" + text);

        assertThat(plan.reorderPpb()).isEqualTo(ppb);
        assertThat(plan.reorderDepth()).isEqualTo(depth);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "los=1% | unknown word 'los'; did you mean 'loss'?",
                "pathkill=3 | did you mean 'path-kill'?",
                "gravity=1 | the words are loss reorder dup corrupt delay path-kill seed side only",
                "loss | loss has no value; write loss=RATE",
                "loss= | is no number",
                "loss=1%,loss=2% | stands twice",
                "mtu=63 | is outside 64-65507 bytes of UDP payload",
                "loss=101% | is more than all packets",
                "loss=-1% | is no number",
                "loss=1/0 | divides by zero",
                "loss=0.0000000001 | is less than one packet in a thousand million",
                "reorder=1%/0 | has a depth outside 1-64",
                "reorder=1%/65 | has a depth outside 1-64",
                "delay=5 | has a time without unit",
                "delay=2s | is longer than 1s",
                "path-kill=256 | names a path outside 0-255",
                "path-kill=3@50% | has a time without unit",
                "path-kill=3@5s-2s | ends before it begins",
                "seed=x | is no whole number",
                "side=left | is none of the choices; write side=tx|rx|both",
                "only=all | is what happens without the word",
                "loss=1%,,dup=1% | unknown word ''"
            })
    void whatIsWrongIsToldWithWhatWouldBeRight(String text, String message) {
        assertThatThrownBy(() -> FaultPlan.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("faults: ")
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOSS=1%", " loss = 1% ", "Loss=1%"})
    void caseAndSpaceDoNotMatter(String text) {
        assertThat(FaultPlan.parse(text).lossPpb()).isEqualTo(10_000_000);
    }

    @Property(tries = 2_000)
    void noTextBringsTheParserDown(@ForAll @StringLength(max = 60) @CharRange(from = ' ', to = '~') String text) {
        assertThatCode(() -> parseOrComplain(text)).doesNotThrowAnyException();
        assertThatCode(() -> parseOrComplain("reorder=" + text)).doesNotThrowAnyException();
        assertThatCode(() -> parseOrComplain("path-kill=" + text)).doesNotThrowAnyException();
    }

    private static void parseOrComplain(String text) {
        try {
            FaultPlan.parse(text);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("faults: ");
        }
    }
}
