// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.control.cli.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code metaroce compliance list}: the cases and what they check. */
@CommandLine.Command(name = "list", description = "One line per case: its name, its title, the rules it checks")
final class ComplianceListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        for (Case each : CaseReader.all()) {
            out.printf("%-40s %s (%s)%n", each.id(), each.title(), String.join(", ", each.rules()));
        }
        out.flush();
        return ExitCode.OK;
    }
}
