// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.pcap.CaptureProblem;
import io.metaroce.pcap.CaptureReader;
import java.io.PrintWriter;
import java.util.TreeSet;

/** What a whole capture came to: the last lines on standard error, and whether all of it could be decoded. */
final class DecodeSummary {
    private final TreeSet<Integer> unknownLinkTypes = new TreeSet<>();
    private long packets;
    private long mopPackets;
    private long wrongChecksums;
    private long truncated;

    void count(Line line) {
        packets++;
        mopPackets += line.has(Field.TYPE) ? 1 : 0;
        wrongChecksums += "wrong".equals(line.get(Field.CRC)) ? 1 : 0;
        truncated += "unchecked".equals(line.get(Field.CRC)) ? 1 : 0;
    }

    void countUnknown(int linkType) {
        unknownLinkTypes.add(linkType);
    }

    /** Prints it; returns whether nothing was left out. */
    boolean print(CaptureReader reader, PrintWriter err) {
        err.println(packets + " packets, " + mopPackets + " MOP, " + wrongChecksums + " with a wrong CRC, " + truncated
                + " truncated");
        for (CaptureProblem problem : CaptureProblem.values()) {
            long count = reader.problemCount(problem);
            boolean isNote =
                    problem.effect() == CaptureProblem.Effect.SKIPS || problem.effect() == CaptureProblem.Effect.NOTES;
            if (count > 0 && isNote) {
                err.println("metaroce: warning: " + problem.description() + " (" + count + " times)");
            }
        }
        String endedEarly = reader.endedEarly();
        if (endedEarly != null) {
            err.println("metaroce: warning: " + endedEarly);
        }
        for (int linkType : unknownLinkTypes) {
            err.println("metaroce: link type " + linkType + " is not understood; there are Ethernet (1), raw IP (101),"
                    + " Linux cooked (113, 276), null (0), loop (108), IPv4 (228), IPv6 (229)");
        }
        err.flush();
        // A tail that is cut off is what an interrupted capture looks like; everything there is was shown.
        boolean isTailOnly = reader.problemCount(CaptureProblem.TAIL_UNFINISHED) > 0;
        return (endedEarly == null || isTailOnly) && unknownLinkTypes.isEmpty();
    }
}
