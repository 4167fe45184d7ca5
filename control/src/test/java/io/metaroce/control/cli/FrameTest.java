// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Option;

class FrameTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void listsEveryCommandUnderTheHeadingOfItsGroup() {
        int code = run("--help");

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("\nMeasure:\n  push ", "\nInspect:\n  version ", "\nExamples:\n");
        assertThat(out.toString()).doesNotContain("\nDevelop:");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void namesTheNearestOptionWhenOneIsMistyped() {
        int code = run("push", "--lsos", "1%");

        assertThat(code).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .isEqualTo("metaroce: unknown option '--lsos', did you mean '--loss'? (see metaroce push --help)\n");
    }

    @Test
    void namesTheNearestCommandWhenOneIsMistyped() {
        int code = run("versoin");

        assertThat(code).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .isEqualTo("metaroce: unknown command 'versoin', did you mean 'version'? (see metaroce --help)\n");
    }

    @Test
    void suggestsNothingWhenNothingIsNear() {
        run("push", "--quux");

        assertThat(err.toString()).isEqualTo("metaroce: unknown option '--quux' (see metaroce push --help)\n");
    }

    @Test
    void printsTheHelpToStandardErrorAndFailsWhenTheCommandIsMissing() {
        int code = run();

        assertThat(code).isEqualTo(ExitCode.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith("Usage: metaroce");
    }

    @Test
    void printsAFailureThatTheOperatorCanMendAsOneLine() {
        int code = run(new CommandFailure("port 1 is taken;\n choose one with -p PORT"));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).isEqualTo("metaroce: port 1 is taken;; choose one with -p PORT\n");
    }

    @Test
    void namesTheKindOfAnInputOutputFailure() {
        int code = run(new IOException("broken pipe"));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).isEqualTo("metaroce: input or output failed: IOException: broken pipe\n");
    }

    @Test
    void showsNoStackTraceOfAnInternalErrorButSaysHowToGetIt() {
        int code = run(new IllegalStateException("ring is full"));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).hasLineCount(1).contains("ring is full", "METAROCE_DEBUG=1");
    }

    @Test
    void treatsAFailedAssertionLikeAnyOtherDefect() {
        int code = frame(new Push(null) {
                    @Override
                    public Integer call() {
                        throw new AssertionError("ring is full");
                    }
                })
                .execute("push");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).hasLineCount(1).contains("AssertionError: ring is full");
    }

    @Test
    void passesTheExitCodeOfTheCommandOn() {
        assertThat(run("push", "--loss", "7")).isEqualTo(7);
    }

    @Test
    void speaksOneVersionLineWhicheverWayItIsAsked() {
        run("--version");
        String byOption = out.toString();
        out.getBuffer().setLength(0);
        run("version");

        assertThat(byOption)
                .isEqualTo(out.toString())
                .matches("metaroce \\S+, commit \\S+, Java \\S+, profile MOP/1\n");
    }

    private int run(String... arguments) {
        return frame(new Push(null)).execute(arguments);
    }

    private int run(Exception thrown) {
        return frame(new Push(thrown)).execute("push");
    }

    private Frame frame(Command command) {
        return Frame.of(List.of(command, new VersionCommand()), new PrintWriter(out, true), new PrintWriter(err, true));
    }

    @picocli.CommandLine.Command(name = "push", description = "Push")
    static class Push implements Command {
        private final @Nullable Exception thrown;

        @Option(names = "--loss", description = "Exit code to return, for the test")
        private int loss;

        Push(@Nullable Exception thrown) {
            this.thrown = thrown;
        }

        @Override
        public CommandGroup group() {
            return CommandGroup.MEASURE;
        }

        @Override
        public Integer call() throws Exception {
            if (thrown != null) {
                throw thrown;
            }
            return loss;
        }
    }
}
