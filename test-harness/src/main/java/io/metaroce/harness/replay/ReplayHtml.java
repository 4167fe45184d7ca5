// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/** The report as one page that needs nothing beside it: tables, and plots as SVG. */
final class ReplayHtml {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 180;
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Capture report</title><style>
            :root { color-scheme: light dark; }
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
            table { border-collapse: collapse; display: block; overflow-x: auto; margin: .5rem 0 1.5rem; }
            th, td { border: 1px solid #8888; padding: .2rem .6rem; text-align: right; }
            th:first-child, td:first-child, td.words { text-align: left; }
            .bad { color: #c62828; } svg { width: 100%; height: auto; border: 1px solid #8888; }
            polyline { fill: none; stroke: #1f77b4; stroke-width: 1.5; } rect { fill: #1f77b4; }
            </style></head><body>
            """;

    private ReplayHtml() {}

    static String of(JsonNode report, String file) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<h1>").append(escape(file)).append("</h1>\n");
        table(
                page,
                List.of(report.get("capture")),
                List.of("format", "packets", "mop", "seconds", "wrongChecksums", "cut"));
        page.append("<h2>Broken rules</h2>\n");
        if (report.get("violations").isEmpty()) {
            page.append("<p>None that packets alone can show.</p>\n");
        }
        for (JsonNode violation : report.get("violations")) {
            page.append("<p class=\"bad\">")
                    .append(escape(violation.get("rule").asText()))
                    .append(": ");
            page.append(escape(violation.get("words").asText())).append(", ");
            page.append(violation.get("count")).append(" times, frames ");
            page.append(escape(violation.get("frames").toString())).append("</p>\n");
        }
        for (JsonNode warning : report.get("warnings")) {
            page.append("<p>Warning: ").append(escape(warning.asText())).append("</p>\n");
        }
        goodput(page, report.get("goodput"));
        for (JsonNode connection : report.get("connections")) {
            connection(page, connection);
        }
        page.append("<h2>Events</h2>\n<table><tr><th>frame</th><th>seconds</th><th>what</th></tr>\n");
        for (JsonNode event : report.get("events")) {
            page.append("<tr><td>")
                    .append(event.get("frame"))
                    .append("</td><td>")
                    .append(event.get("seconds"));
            page.append("</td><td class=\"words\">")
                    .append(escape(event.get("words").asText()))
                    .append("</td></tr>\n");
        }
        return page.append("</table>\n</body></html>\n").toString();
    }

    private static void connection(StringBuilder page, JsonNode connection) {
        page.append("<h2>To ").append(escape(connection.get("id").asText())).append(", ");
        page.append(escape(connection.get("source").asText())).append(" to ");
        page.append(escape(connection.get("destination").asText())).append("</h2>\n");
        table(
                page,
                List.of(connection),
                List.of("peer", "packets", "messages", "payloadBytes", "goodputMbps", "hintMbps"));
        List<JsonNode> paths = new java.util.ArrayList<>();
        connection.get("paths").forEach(paths::add);
        if (!paths.isEmpty()) {
            roundTrips(page, paths);
            table(
                    page,
                    paths,
                    List.of(
                            "path",
                            "epoch",
                            "sourcePort",
                            "packets",
                            "retransmitted",
                            "needed",
                            "spurious",
                            "late",
                            "unproven",
                            "neverSeen",
                            "copies",
                            "reordered",
                            "marked",
                            "movedAway",
                            "rttMinUs",
                            "rttMedianUs",
                            "rtt99Us"));
        }
    }

    private static void goodput(StringBuilder page, JsonNode goodput) {
        JsonNode bytes = goodput.get("bytes");
        double stepSeconds = goodput.get("stepNs").doubleValue() / 1e9;
        long most = 1;
        for (JsonNode step : bytes) {
            most = Math.max(most, step.longValue());
        }
        page.append(String.format(
                Locale.ROOT,
                "<h2>Goodput</h2>\n<p>Steps of %.6f s; the top is %.1f Mbit/s.</p>\n",
                stepSeconds,
                most * 8 / stepSeconds / 1e6));
        page.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT);
        page.append("\" role=\"img\" aria-label=\"Goodput over time\"><polyline points=\"");
        for (int i = 0; i < bytes.size(); i++) {
            double x = (double) i * WIDTH / Math.max(1, bytes.size() - 1);
            double y = HEIGHT - 4 - (HEIGHT - 8) * (bytes.get(i).doubleValue() / most);
            page.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
        }
        page.append("\"/></svg>\n");
    }

    private static void roundTrips(StringBuilder page, List<JsonNode> paths) {
        double most = 1e-9;
        for (JsonNode path : paths) {
            most = Math.max(most, path.get("rtt99Us").doubleValue());
        }
        int height = 12 * paths.size() + 4;
        page.append(
                String.format(Locale.ROOT, "<p>Round trips by path, median; the right edge is %.1f us.</p>\n", most));
        page.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(height);
        page.append("\" role=\"img\" aria-label=\"Round trips by path\">");
        for (int i = 0; i < paths.size(); i++) {
            double width = WIDTH * paths.get(i).get("rttMedianUs").doubleValue() / most;
            page.append(String.format(
                    Locale.ROOT, "<rect x=\"0\" y=\"%d\" width=\"%.1f\" height=\"9\"/>", 12 * i + 3, width));
        }
        page.append("</svg>\n");
    }

    private static void table(StringBuilder page, List<JsonNode> rows, List<String> columns) {
        page.append("<table><tr>");
        columns.forEach(column -> page.append("<th>").append(column).append("</th>"));
        page.append("</tr>\n");
        for (JsonNode row : rows) {
            page.append("<tr>");
            for (String column : columns) {
                JsonNode value = row.path(column);
                String text =
                        value.isDouble() ? String.format(Locale.ROOT, "%.1f", value.doubleValue()) : value.asText("");
                page.append("<td>").append(escape(text)).append("</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
