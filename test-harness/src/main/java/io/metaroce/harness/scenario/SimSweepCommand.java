// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code metaroce sim sweep}: every cell for every combination of values. */
@CommandLine.Command(name = "sweep", description = "Run a scenario over values of its parameters")
final class SimSweepCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Parameters(index = "0", paramLabel = "SCENARIO", description = "A ready-made scenario, or a file.")
    private String scenario = "";

    @CommandLine.Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY=VALUE,VALUE",
            description = "Parameters and the values to try, such as loss=0,0.01.")
    private List<String> axes = List.of();

    @CommandLine.Mixin
    private SimOptions options = new SimOptions();

    @Override
    public Integer call() throws Exception {
        return options.run(scenario, this::swept, spec);
    }

    private Scenario swept(Scenario one) {
        Map<String, Settings> cells = one.cells();
        for (String axis : axes) {
            int equals = axis.indexOf('=');
            if (equals < 1) {
                throw new ScenarioException("an axis is KEY=VALUE,VALUE, not " + axis);
            }
            String key = axis.substring(0, equals);
            Map<String, Settings> more = new LinkedHashMap<>();
            cells.forEach((cell, settings) -> {
                for (String value : axis.substring(equals + 1).split(",", -1)) {
                    more.put(cell + " " + key + "=" + value, settings.with(Map.of(key, value)));
                }
            });
            cells = more;
        }
        return new Scenario(one.name() + " swept", one.about(), one.seeds(), cells, List.of());
    }
}
