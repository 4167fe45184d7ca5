// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the demo found, and whether it is what it should be. */
final class DemoVerdict {
    long bytesWanted;
    long bytesVerified;
    long wrongBytes;
    long duplicatePlacements;
    /** Whether packets were to be lost by chance; if not, those of the killed path must do. */
    boolean isChanceWanted;
    /** By chance and on the killed path, as the fault injector counted them. */
    long packetsLostByFault;
    /** Those that vanished on the killed path; contained. */
    long packetsLostOnKilledPath;

    long dataPacketsLostByFault;
    long retransmittedPackets;
    long duplicatesDropped;
    long timeouts;
    long packetsMissedByKernel;
    int pathsKilled;
    int pathsRevived;
    int metricsScraped;
    double seconds;
    /** Why the run ended before its time; empty if it did not. */
    String trouble = "";

    /** What is not as it should be, one line each; empty if all is well. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        if (!trouble.isEmpty()) {
            complaints.add(trouble);
        }
        if (bytesVerified != bytesWanted) {
            complaints.add("only " + bytesVerified + " of " + bytesWanted + " bytes arrived and were checked");
        }
        if (wrongBytes != 0) {
            complaints.add(wrongBytes + " bytes are wrong");
        }
        if (duplicatePlacements != 0) {
            complaints.add(duplicatePlacements + " bytes were written after their message was complete");
        }
        boolean isChanceMissing = isChanceWanted && packetsLostByFault == packetsLostOnKilledPath;
        if (packetsLostByFault == 0 || isChanceMissing) {
            complaints.add("nothing was lost, so nothing was shown");
        }
        if (retransmittedPackets == 0) {
            complaints.add("nothing was sent again");
        }
        if (pathsKilled == 0 || pathsRevived == 0) {
            complaints.add("path " + DemoPlan.VICTIM + (pathsKilled == 0 ? " did not die" : " did not come back"));
        }
        if (pathsKilled > 0 && packetsLostOnKilledPath == 0) {
            complaints.add("path " + DemoPlan.VICTIM + " died although nothing vanished on it");
        }
        if (metricsScraped < 2) {
            complaints.add("the daemons' /metrics could not be read");
        }
        return complaints;
    }

    /** Verified bits for the time that all bytes took; 0 if the run never got so far. */
    double goodputGbps() {
        return seconds > 0 ? bytesVerified * 8e-9 / seconds : 0;
    }

    boolean isOk() {
        return complaints().isEmpty();
    }

    void print(PrintWriter out) {
        out.println();
        row(out, "bytes verified", bytesVerified, "B");
        row(out, "bytes wrong", wrongBytes, "B");
        row(out, "bytes placed twice", duplicatePlacements, "B");
        row(out, "packets lost by the fault injector", packetsLostByFault, "");
        row(out, "of those, on the killed path", packetsLostOnKilledPath, "");
        row(out, "of those, carrying data", dataPacketsLostByFault, "");
        row(out, "packets sent again", retransmittedPackets, "");
        row(out, "duplicates dropped", duplicatesDropped, "");
        row(out, "packets dropped by the kernel", packetsMissedByKernel, "");
        row(out, "timeouts", timeouts, "");
        row(out, "paths killed and revived", pathsRevived, "");
        out.printf(Locale.ROOT, "  %-36s %14.2f s%n", "time", seconds);
        out.printf(Locale.ROOT, "  %-36s %14.2f Gbit/s%n", "verified goodput", goodputGbps());
        out.println();
        for (String complaint : complaints()) {
            out.println("FAILED: " + complaint);
        }
        if (isOk()) {
            out.println("OK: every byte arrived once, at its place, although packets and a path were lost on the way.");
        }
        out.flush();
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("ok", isOk());
        json.put("bytesVerified", bytesVerified);
        json.put("wrong", wrongBytes);
        json.put("packetsLostByFault", packetsLostByFault);
        json.put("retransmittedPackets", retransmittedPackets);
        json.put("duplicatePlacements", duplicatePlacements);
        json.put("pathsKilled", pathsKilled);
        json.put("pathsRevived", pathsRevived);
        json.put("packetsLostOnKilledPath", packetsLostOnKilledPath);
        json.put("dataPacketsLostByFault", dataPacketsLostByFault);
        json.put("duplicatesDropped", duplicatesDropped);
        json.put("timeouts", timeouts);
        json.put("packetsMissedByKernel", packetsMissedByKernel);
        json.put("metricsScraped", metricsScraped);
        json.put("seconds", seconds);
        json.put("goodputGbps", goodputGbps());
        complaints().forEach(json.putArray("complaints")::add);
        return json;
    }

    private static void row(PrintWriter out, String what, long value, String unit) {
        out.println(
                String.format(Locale.ROOT, "  %-36s %14d %s", what, value, unit).stripTrailing());
    }
}
