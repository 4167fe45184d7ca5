// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** One page with everything in it: verdicts, measures, and plots as SVG; nothing is loaded from anywhere. */
final class HtmlReport {
    private static final int WIDTH = 520;
    private static final int HEIGHT = 220;
    private static final int POINTS_MAX = 600;
    private static final List<String> COLOURS =
            List.of("#1b6ca8", "#c8553d", "#4f772d", "#7b2d8b", "#b08900", "#00798c", "#8d3b72", "#444444");

    private HtmlReport() {}

    static void write(ScenarioRun.Outcome outcome, PrintWriter out) {
        String name = escaped(outcome.scenario().name());
        out.println("<!doctype html><meta charset=\"utf-8\"><title>" + name + "</title><style>"
                + "body{font:14px/1.5 system-ui,sans-serif;max-width:1120px;margin:2em auto;padding:0 1em;color:#222}"
                + "table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1em 0}"
                + "td,th{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:right}"
                + "td:first-child,th:first-child{text-align:left}.missed{color:#b00020;font-weight:600}"
                + "svg{margin:.5em 1em .5em 0;background:#fafafa}svg text{font:11px system-ui,sans-serif}</style>");
        out.println("<h1>" + name + "</h1><p>" + escaped(outcome.scenario().about()) + "</p><p>"
                + (outcome.passes() ? "pass" : "<span class=missed>FAIL</span>") + ", "
                + Text.number(outcome.wallSeconds()) + " s, " + outcome.hops() + " packet-hops</p>");
        verdicts(outcome, out);
        measures(outcome, out);
        plots(outcome, out);
        out.flush();
    }

    private static void verdicts(ScenarioRun.Outcome outcome, PrintWriter out) {
        out.println("<table><tr><th>check<th>value<th>bar<th>");
        for (ScenarioRun.Verdict verdict : outcome.verdicts()) {
            out.println("<tr><td>" + escaped(verdict.check().name()) + "<td>" + Text.number(verdict.value()) + "<td>"
                    + (verdict.check().atLeast() ? "&ge; " : "&le; ")
                    + Text.number(verdict.check().bar())
                    + (verdict.isOk() ? "<td>ok" : "<td class=missed>missed"));
        }
        out.println("</table>");
    }

    private static void measures(ScenarioRun.Outcome outcome, PrintWriter out) {
        out.print("<table><tr><th>cell<th>seed");
        outcome.results().get(0).measures().keySet().forEach(name -> out.print("<th>" + escaped(name)));
        out.println();
        for (CellResult result : outcome.results()) {
            out.print("<tr><td>" + escaped(result.cell()) + "<td>" + result.seed());
            result.measures().values().forEach(value -> out.print("<td>" + Text.number(value)));
            out.println();
        }
        out.println("</table>");
    }

    private static void plots(ScenarioRun.Outcome outcome, PrintWriter out) {
        StringBuilder legend = new StringBuilder();
        StringBuilder completion = new StringBuilder();
        StringBuilder queue = new StringBuilder();
        StringBuilder rate = new StringBuilder();
        double durationMost = 1e-9;
        double timeMost = 1e-9;
        double queueMost = 1;
        double rateMost = 1e-9;
        for (CellResult result : outcome.results()) {
            CellResult.Series series = result.series();
            durationMost = Math.max(durationMost, most(series.durationsUs()));
            timeMost = Math.max(timeMost, most(series.timesUs()));
            queueMost = Math.max(queueMost, most(series.queueBytes()));
            rateMost = Math.max(rateMost, most(series.gigabitsPerSecond()));
        }
        for (int i = 0; i < outcome.results().size(); i++) {
            CellResult result = outcome.results().get(i);
            CellResult.Series series = result.series();
            String colour = COLOURS.get(i % COLOURS.size());
            legend.append("<span style=\"color:")
                    .append(colour)
                    .append("\">&#9632; ")
                    .append(escaped(result.cell()))
                    .append(", ")
                    .append(result.seed())
                    .append("</span> ");
            double[] shares = new double[series.durationsUs().length];
            for (int j = 0; j < shares.length; j++) {
                shares[j] = (j + 1.0) / shares.length;
            }
            completion.append(line(series.durationsUs(), shares, durationMost, 1, colour));
            queue.append(line(series.timesUs(), series.queueBytes(), timeMost, queueMost, colour));
            rate.append(line(series.timesUs(), series.gigabitsPerSecond(), timeMost, rateMost, colour));
        }
        out.println("<p>" + legend + "</p>");
        out.println(plot("share of messages done, by us", completion, durationMost, 1));
        out.println(plot("Gbit/s on the last link, by us", rate, timeMost, rateMost));
        out.println(plot("bytes queued before the last link, by us", queue, timeMost, queueMost));
    }

    private static double most(double[] values) {
        double most = 0;
        for (double value : values) {
            most = Math.max(most, value);
        }
        return most;
    }

    private static String line(double[] x, double[] y, double xMost, double yMost, String colour) {
        if (x.length == 0) {
            return "";
        }
        StringBuilder points = new StringBuilder();
        int step = Math.max(1, x.length / POINTS_MAX);
        for (int i = 0; i < x.length; i += step) {
            points.append(
                    String.format(Locale.ROOT, "%.1f,%.1f ", x[i] / xMost * WIDTH, HEIGHT - y[i] / yMost * HEIGHT));
        }
        return "<polyline fill=none stroke=\"" + colour + "\" points=\"" + points + "\"/>";
    }

    private static String plot(String title, CharSequence lines, double xMost, double yMost) {
        return "<svg width=" + (WIDTH + 20) + " height=" + (HEIGHT + 50) + " viewBox=\"-5 -22 " + (WIDTH + 20) + " "
                + (HEIGHT + 50) + "\"><text x=0 y=-8>" + title + "; up to " + Text.number(yMost)
                + "</text><rect width=" + WIDTH + " height=" + HEIGHT + " fill=none stroke=\"#ccc\"/>" + lines
                + "<text x=0 y=" + (HEIGHT + 16) + ">0</text><text text-anchor=end x=" + WIDTH + " y="
                + (HEIGHT + 16) + ">" + Text.number(xMost) + "</text></svg>";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
