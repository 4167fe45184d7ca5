// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code metaroce sim compare}: every cell once for each transport, side by side. */
@CommandLine.Command(name = "compare", description = "Run a scenario with several transports, side by side")
final class SimCompareCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Parameters(index = "0", paramLabel = "SCENARIO", description = "A ready-made scenario, or a file.")
    private String scenario = "";

    @CommandLine.Parameters(
            index = "1..*",
            paramLabel = "TRANSPORT",
            description = "mop, mop-single-path, roce (default: all).")
    private List<String> transports = List.of("mop", "mop-single-path", "roce");

    @CommandLine.Mixin
    private SimOptions options = new SimOptions();

    @Override
    public Integer call() throws Exception {
        return options.run(scenario, this::compared, spec);
    }

    private Scenario compared(Scenario one) {
        Map<String, Settings> cells = new LinkedHashMap<>();
        one.cells()
                .forEach((cell, settings) ->
                        transports.forEach(transport -> cells.put(cell + " " + transport, with(settings, transport))));
        return new Scenario(one.name() + " compared", one.about(), one.seeds(), cells, List.of());
    }

    private static Settings with(Settings settings, String transport) {
        return transport.equals("mop-single-path")
                ? settings.with(Parameter.TRANSPORT, "mop").with(Parameter.PATHS, settings.word(Parameter.PLANES))
                : settings.with(Parameter.TRANSPORT, transport);
    }
}
