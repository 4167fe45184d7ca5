// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An outcome as a table for people, as CSV, and as the one line of JSON. */
final class OutcomeText {
    private static final List<String> COLUMNS = List.of(
            "goodput", "gbps", "fct_us_p50", "fct_us_max", "retransmitted_ratio", "spurious_ratio", "drops", "jain");

    private OutcomeText() {}

    static void table(ScenarioRun.Outcome outcome, PrintWriter out) {
        out.printf("%n%-28s %6s", "cell", "seed");
        COLUMNS.forEach(column -> out.printf(" %20s", column));
        out.println();
        for (CellResult result : outcome.results()) {
            out.printf("%-28s %6d", result.cell(), result.seed());
            for (String column : COLUMNS) {
                Double value = result.measures().get(column);
                out.printf(" %20s", value == null ? "-" : Text.number(value));
            }
            out.println();
            result.failures().stream().limit(3).forEach(failure -> out.println("    failure: " + failure));
        }
        out.println();
        for (ScenarioRun.Verdict verdict : outcome.verdicts()) {
            out.printf(
                    "%-6s %-34s %12s   bar %s %s%n",
                    verdict.isOk() ? "ok" : "MISSED",
                    verdict.check().name(),
                    Text.number(verdict.value()),
                    verdict.check().atLeast() ? ">=" : "<=",
                    Text.number(verdict.check().bar()));
        }
        out.printf(
                Locale.ROOT,
                "%n%s: %s, %.1f s, %.2f million packet-hops/s%n",
                outcome.scenario().name(),
                outcome.passes() ? "pass" : "FAIL",
                outcome.wallSeconds(),
                outcome.hops() / outcome.wallSeconds() / 1e6);
        out.flush();
    }

    static void csv(ScenarioRun.Outcome outcome, PrintWriter out) {
        out.print("cell,seed,digest");
        outcome.results().get(0).measures().keySet().forEach(name -> out.print("," + name));
        out.println();
        for (CellResult result : outcome.results()) {
            out.print(result.cell() + "," + result.seed() + "," + Long.toHexString(result.digest()));
            for (String name : outcome.results().get(0).measures().keySet()) {
                out.print("," + result.measures().getOrDefault(name, Double.NaN));
            }
            out.println();
        }
        out.flush();
    }

    static String json(ScenarioRun.Outcome outcome, boolean hasCells) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode();
        root.put("scenario", outcome.scenario().name());
        ArrayNode seeds = root.putArray("seeds");
        outcome.scenario().seeds().forEach(seeds::add);
        root.put("pass", outcome.passes());
        ArrayNode checks = root.putArray("checks");
        for (ScenarioRun.Verdict verdict : outcome.verdicts()) {
            ObjectNode check = checks.addObject();
            check.put("name", verdict.check().name());
            check.put("value", verdict.value());
            check.put("bar", verdict.check().bar());
            check.put("ok", verdict.isOk());
        }
        if (hasCells) {
            ArrayNode cells = root.putArray("cells");
            outcome.results().forEach(result -> cell(cells.addObject(), result));
        }
        root.put("wallSeconds", Math.round(outcome.wallSeconds() * 1e3) / 1e3);
        try {
            return mapper.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values has a text", e);
        }
    }

    private static void cell(ObjectNode node, CellResult result) {
        node.put("cell", result.cell());
        node.put("seed", result.seed());
        node.put("digest", Long.toHexString(result.digest()));
        for (Map.Entry<String, Double> measure : result.measures().entrySet()) {
            node.put(measure.getKey(), measure.getValue());
        }
    }
}
