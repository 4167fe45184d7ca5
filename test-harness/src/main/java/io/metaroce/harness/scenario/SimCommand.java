// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metaroce sim}: the transport on simulated fabrics. */
@CommandLine.Command(
        name = "sim",
        description = "Run the transport on a simulated fabric, from a seed",
        subcommands = {SimListCommand.class, SimRunCommand.class, SimCompareCommand.class, SimSweepCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce sim list                              what is ready-made",
            "  metaroce sim run loss-sweep --json             its table, and one line of JSON at the end",
            "  metaroce sim sweep incast hosts=9,33,64        the same for several values"
        })
public final class SimCommand implements Command {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.MEASURE;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "sim needs 'list', 'run', 'compare' or 'sweep'");
    }
}
