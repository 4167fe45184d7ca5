// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** What run, compare and sweep have in common. */
final class SimOptions {
    private static final int WORKERS_MAX = 256;

    @CommandLine.Option(
            names = "--json",
            description = "Print the verdict as one line of JSON, the last of the output.")
    private boolean isJson;

    @CommandLine.Option(names = "--cells", description = "Put the measures of every cell into the JSON as well.")
    private boolean hasCells;

    @CommandLine.Option(names = "--csv", paramLabel = "FILE", description = "Write every measure of every cell.")
    private @Nullable Path csv;

    @CommandLine.Option(names = "--html", paramLabel = "FILE", description = "Write a report with plots, in one file.")
    private @Nullable Path html;

    @CommandLine.Option(
            names = "--seed",
            paramLabel = "N",
            split = ",",
            description = "Seeds instead of the scenario's own.")
    private List<Long> seeds = List.of();

    @CommandLine.Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Set a parameter in every cell; may be repeated.")
    private Map<String, String> set = new LinkedHashMap<>();

    @CommandLine.Option(
            names = "--workers",
            paramLabel = "N",
            description = "Cells at one time; the result does not depend on it (default: all processors).")
    private int workers = Runtime.getRuntime().availableProcessors();

    /** Finds, changes, runs and prints a scenario. */
    int run(String name, UnaryOperator<Scenario> change, CommandLine.Model.CommandSpec spec) throws Exception {
        if (workers < 1 || workers > WORKERS_MAX) {
            throw new CommandFailure("--workers must be 1 to " + WORKERS_MAX + ", was " + workers);
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter people = isJson ? spec.commandLine().getErr() : out;
        ScenarioRun.Outcome outcome;
        try {
            Scenario scenario = change.apply(changed(ScenarioReader.find(name)));
            people.println(scenario.name() + ": " + scenario.about());
            outcome = ScenarioRun.run(scenario, workers, (result, done, all) -> {
                people.printf("  %d/%d %s, seed %d%n", done, all, result.cell(), result.seed());
                people.flush();
            });
        } catch (ScenarioException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
        OutcomeText.table(outcome, people);
        write(csv, writer -> OutcomeText.csv(outcome, writer));
        write(html, writer -> HtmlReport.write(outcome, writer));
        if (isJson) {
            out.println(OutcomeText.json(outcome, hasCells));
            out.flush();
        }
        return outcome.passes() ? ExitCode.OK : ExitCode.FAILED;
    }

    private Scenario changed(Scenario scenario) {
        Map<String, Settings> cells = new LinkedHashMap<>();
        scenario.cells().forEach((cell, settings) -> cells.put(cell, settings.with(set)));
        return new Scenario(
                scenario.name(),
                scenario.about(),
                seeds.isEmpty() ? scenario.seeds() : seeds,
                cells,
                scenario.checks());
    }

    private static void write(@Nullable Path file, java.util.function.Consumer<PrintWriter> content) {
        if (file == null) {
            return;
        }
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            content.accept(writer);
        } catch (IOException e) {
            throw new CommandFailure("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
