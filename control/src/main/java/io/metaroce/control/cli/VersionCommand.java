// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code metaroce version}: the one line to paste into a report. */
@picocli.CommandLine.Command(name = "version", description = "Show version, commit, Java and wire profile")
public final class VersionCommand implements Command {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.INSPECT;
    }

    @Override
    public Integer call() {
        spec.commandLine().getOut().println(VersionInfo.current());
        return ExitCode.OK;
    }
}
