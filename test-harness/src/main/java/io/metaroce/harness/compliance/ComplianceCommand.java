// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metaroce compliance}: whether an implementation does what the specification says. */
@CommandLine.Command(
        name = "compliance",
        description = "Black-box cases of the specification against any implementation",
        subcommands = {
            ComplianceListCommand.class,
            ComplianceRunCommand.class,
            ComplianceResponderCommand.class,
            ComplianceMutantsCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce compliance list",
            "  metaroce compliance run --self",
            "  metaroce compliance responder --bind 192.0.2.1 -p 4794",
            "  metaroce compliance run --target 192.0.2.1:4794 --html report.html --captures DIR"
        })
public final class ComplianceCommand implements Command {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.DEVELOP;
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "compliance needs 'list', 'run', 'mutants' or 'responder'");
    }
}
