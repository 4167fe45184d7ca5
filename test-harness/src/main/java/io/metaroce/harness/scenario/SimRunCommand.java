// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code metaroce sim run}. */
@CommandLine.Command(name = "run", description = "Run a scenario and judge its checks")
final class SimRunCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Parameters(paramLabel = "SCENARIO", description = "A ready-made scenario, or a file.")
    private String scenario = "";

    @CommandLine.Mixin
    private SimOptions options = new SimOptions();

    @Override
    public Integer call() throws Exception {
        return options.run(scenario, same -> same, spec);
    }
}
