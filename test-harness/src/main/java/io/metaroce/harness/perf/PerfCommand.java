// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metaroce perf}: two shells, a server and a client, and perftest's table. */
@CommandLine.Command(
        name = "perf",
        description = "Measure bandwidth and latency between two processes, every byte checked",
        subcommands = {PerfServerCommand.class, PerfClientCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce perf server                          in one shell",
            "  metaroce perf client localhost write_bw       in another"
        })
public final class PerfCommand implements Command {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.MEASURE;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "perf needs 'server' or 'client'");
    }
}
