// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;

/** The report for a terminal: what went wrong first, then who sent what. */
final class ReplayText {
    private final PrintWriter out;

    ReplayText(PrintWriter out) {
        this.out = out;
    }

    void print(JsonNode report) {
        JsonNode capture = report.get("capture");
        out.printf(
                "%s, %d packets in %.6f s, %d MOP, %d with a wrong checksum%n",
                capture.get("format").textValue(),
                capture.get("packets").longValue(),
                capture.get("seconds").doubleValue(),
                capture.get("mop").longValue(),
                capture.get("wrongChecksums").longValue());
        report.get("violations").forEach(this::violation);
        for (JsonNode connection : report.get("connections")) {
            connection(connection);
        }
        if (!report.get("events").isEmpty()) {
            out.println("events");
            for (JsonNode event : report.get("events")) {
                out.printf(
                        "  frame %-8d %12.6f  %s%n",
                        event.get("frame").longValue(),
                        event.get("seconds").doubleValue(),
                        event.get("words").textValue());
            }
        }
        JsonNode sums = report.get("sums");
        out.printf(
                "%d connections, %d retransmitted (%d needed, %d spurious, %d unproven; %d late), %d copies, %d violations%n",
                sums.get("connections").longValue(),
                sums.get("retransmitted").longValue(),
                sums.get("needed").longValue(),
                sums.get("spurious").longValue(),
                sums.get("unproven").longValue(),
                sums.get("late").longValue(),
                sums.get("copies").longValue(),
                sums.get("violations").longValue());
        out.flush();
    }

    private void violation(JsonNode violation) {
        out.printf(
                "VIOLATION %s: %s, %d times, frames %s%n",
                violation.get("rule").textValue(),
                violation.get("words").textValue(),
                violation.get("count").longValue(),
                violation.get("frames"));
    }

    private void connection(JsonNode connection) {
        out.printf(
                "to %s: %s > %s, peer %s, %d packets, %d messages, %d bytes, %.1f Mbit/s%n",
                connection.get("id").textValue(),
                connection.get("source").textValue(),
                connection.get("destination").textValue(),
                connection.path("peer").asText("unknown"),
                connection.get("packets").longValue(),
                connection.get("messages").longValue(),
                connection.get("payloadBytes").longValue(),
                connection.get("goodputMbps").doubleValue());
        if (!connection.get("paths").isEmpty()) {
            out.printf(
                    "  %4s %5s %6s %9s %7s %6s %8s %8s %7s %7s %6s %9s %9s %9s%n",
                    "path",
                    "epoch",
                    "port",
                    "packets",
                    "again",
                    "needed",
                    "spurious",
                    "unproven",
                    "unseen",
                    "copies",
                    "CE",
                    "rtt min",
                    "median",
                    "99 %");
        }
        for (JsonNode path : connection.get("paths")) {
            out.printf(
                    "  %4d %5d %6d %9d %7d %6d %8d %8d %7d %7d %6d %9.1f %9.1f %9.1f%n",
                    path.get("path").longValue(),
                    path.get("epoch").longValue(),
                    path.get("sourcePort").longValue(),
                    path.get("packets").longValue(),
                    path.get("retransmitted").longValue(),
                    path.get("needed").longValue(),
                    path.get("spurious").longValue(),
                    path.get("unproven").longValue(),
                    path.get("neverSeen").longValue(),
                    path.get("copies").longValue(),
                    path.get("marked").longValue(),
                    path.get("rttMinUs").doubleValue(),
                    path.get("rttMedianUs").doubleValue(),
                    path.get("rtt99Us").doubleValue());
        }
    }
}
