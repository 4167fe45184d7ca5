// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Runs every cell with every seed on some workers, and judges the checks. */
final class ScenarioRun {
    /** A check and what came of it. */
    record Verdict(Scenario.Check check, double value, boolean isOk) {}

    /** Everything that came of a scenario. */
    record Outcome(Scenario scenario, List<CellResult> results, List<Verdict> verdicts, double wallSeconds) {
        boolean passes() {
            return verdicts.stream().allMatch(Verdict::isOk)
                    && results.stream().allMatch(result -> result.failures().isEmpty());
        }

        long hops() {
            return results.stream().mapToLong(CellResult::hops).sum();
        }
    }

    /** Hears of finished runs, on whatever thread. */
    interface Progress {
        void onDone(CellResult result, int done, int all);
    }

    private ScenarioRun() {}

    static Outcome run(Scenario scenario, int workers, Progress progress) throws InterruptedException {
        long startNs = System.nanoTime();
        List<CellRun> runs = new ArrayList<>();
        for (Map.Entry<String, Settings> cell : scenario.cells().entrySet()) {
            for (long seed : scenario.seeds()) {
                runs.add(new CellRun(cell.getKey(), cell.getValue(), seed, ScenarioRun::stopIfInterrupted));
            }
        }
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        List<CellResult> results = new ArrayList<>();
        try {
            List<Future<CellResult>> futures = new ArrayList<>();
            runs.forEach(run -> futures.add(pool.submit(run::run)));
            for (Future<CellResult> future : futures) {
                CellResult result = future.get();
                results.add(result);
                progress.onDone(result, results.size(), runs.size());
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof ScenarioException known) {
                throw known;
            }
            throw new IllegalStateException("a cell failed", cause);
        } finally {
            pool.shutdownNow();
        }
        List<Verdict> verdicts = new ArrayList<>();
        scenario.checks().forEach(check -> verdicts.add(judge(check, results)));
        return new Outcome(scenario, results, verdicts, (System.nanoTime() - startNs) / 1e9);
    }

    private static void stopIfInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new ScenarioException("interrupted");
        }
    }

    /** The worst cell decides. */
    private static Verdict judge(Scenario.Check check, List<CellResult> results) {
        @Nullable String over = check.over();
        double base = over == null ? 1 : value(check, over, results);
        DoubleStream values = check.cells().stream().mapToDouble(cell -> value(check, cell, results) / base);
        double worst = (check.atLeast() ? values.min() : values.max()).orElse(Double.NaN);
        boolean isOk = check.atLeast() ? worst >= check.bar() : worst <= check.bar();
        return new Verdict(check, worst, isOk);
    }

    private static double value(Scenario.Check check, String cell, List<CellResult> results) {
        double[] values = results.stream()
                .filter(result -> result.cell().equals(cell))
                .mapToDouble(result -> result.measures().getOrDefault(check.metric(), Double.NaN))
                .toArray();
        DoubleStream stream = DoubleStream.of(values);
        return switch (check.seeds()) {
            case MEAN -> stream.average().orElse(Double.NaN);
            case LEAST -> stream.min().orElse(Double.NaN);
            case MOST -> stream.max().orElse(Double.NaN);
            case SUM -> stream.sum();
        };
    }
}
