// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.harness.compliance.Verdict.Kind;
import java.util.List;

/** Verdicts as JUnit XML and as one HTML page. */
final class Reports {
    private Reports() {}

    static String junit(List<Verdict> verdicts) {
        StringBuilder xml =
                new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"MOP/1\" tests=\"");
        xml.append(verdicts.size()).append("\" failures=\"").append(Suite.count(verdicts, Kind.FAIL));
        xml.append("\" errors=\"").append(Suite.count(verdicts, Kind.NOT_RUN));
        xml.append("\" skipped=\"").append(Suite.count(verdicts, Kind.EXCLUDED)).append("\">\n");
        for (Verdict each : verdicts) {
            xml.append("  <testcase classname=\"").append(each.of().group()).append("\" name=\"");
            xml.append(each.of().name())
                    .append("\" time=\"")
                    .append(each.tookMs() / 1000.0)
                    .append("\">");
            String element = switch (each.kind()) {
                case PASS -> "";
                case FAIL -> "failure";
                case EXCLUDED -> "skipped";
                case NOT_RUN -> "error";
            };
            if (!element.isEmpty()) {
                String message = each.kind() == Kind.FAIL ? each.rule() : each.reason();
                xml.append('<')
                        .append(element)
                        .append(" message=\"")
                        .append(escape(message))
                        .append("\">");
                xml.append(escape(each.explanation()))
                        .append("</")
                        .append(element)
                        .append('>');
            }
            xml.append("</testcase>\n");
        }
        return xml.append("</testsuite>\n").toString();
    }

    static String html(List<Verdict> verdicts, String target) {
        StringBuilder page =
                new StringBuilder("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>MOP/1 compliance");
        page.append("</title><style>body{font:15px sans-serif;margin:2em}td{padding:2px 10px;vertical-align:top}");
        page.append(".PASS{color:#070}.FAIL{color:#b00}pre{white-space:pre-wrap}</style><h1>MOP/1 compliance of ");
        page.append(escape(target)).append("</h1><p>");
        for (Kind kind : Kind.values()) {
            page.append(kind.text())
                    .append(' ')
                    .append(Suite.count(verdicts, kind))
                    .append(" &nbsp; ");
        }
        page.append("</p><table>");
        for (Verdict each : verdicts) {
            page.append("<tr><td class=\"")
                    .append(each.kind())
                    .append("\">")
                    .append(each.kind().text());
            page.append("<td>")
                    .append(each.of().id())
                    .append("<td>")
                    .append(escape(each.of().title()));
            page.append("<td>").append(String.join(" ", each.of().rules()));
            page.append("<td><pre>").append(escape(each.explanation())).append("</pre></tr>");
        }
        return page.append("</table></html>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
