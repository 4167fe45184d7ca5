// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metaroce bench}: comparisons. */
@CommandLine.Command(
        name = "bench",
        description = "Compare with other transports on this machine",
        subcommands = {PeersCommand.class, LoopCommand.class})
public final class BenchCommand implements Command {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.MEASURE;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "bench needs 'peers'");
    }
}
