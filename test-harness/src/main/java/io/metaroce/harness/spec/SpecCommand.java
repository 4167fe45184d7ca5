// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metaroce spec}: the specification, and who obeys it. */
@CommandLine.Command(
        name = "spec",
        description = "The specification: who obeys which rule, as one page, as a dissector",
        subcommands = {SpecCoverageCommand.class, SpecBuildCommand.class, SpecDissectorCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce spec coverage --area RCV",
            "  metaroce spec build -o mop-1.html",
            "  metaroce spec dissector > metaroce.lua"
        })
public final class SpecCommand implements Command {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.DEVELOP;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "spec needs 'coverage', 'build' or 'dissector'");
    }
}
