// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.control.cli.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code metaroce sim list}. */
@CommandLine.Command(name = "list", description = "Name the ready-made scenarios and what can be set")
final class SimListCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--parameters", description = "Name what a scenario can set, and the standard values.")
    private boolean parameters;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (parameters) {
            for (Parameter parameter : Parameter.values()) {
                out.printf("%-26s %s%n", parameter.key(), parameter.standard());
            }
        } else {
            for (String name : ScenarioReader.names()) {
                out.printf("%-26s %s%n", name, ScenarioReader.find(name).about());
            }
        }
        out.flush();
        return ExitCode.OK;
    }
}
