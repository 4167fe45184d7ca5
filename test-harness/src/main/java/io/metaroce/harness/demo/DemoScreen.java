// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Locale;

/** What a person sees while the demo runs: one live line on a terminal, a line a second elsewhere. */
final class DemoScreen {
    private static final long PLAIN_INTERVAL_NS = 1_000_000_000;
    private static final int BAR_CELLS = 20;

    private final PrintWriter out;
    private final boolean isLive;
    private final long messages;
    private long lastNs = Long.MIN_VALUE;
    private long startNs;

    DemoScreen(PrintWriter out, boolean isLive, long messages) {
        this.out = out;
        this.isLive = isLive;
        this.messages = messages;
    }

    void say(String line) {
        if (isLive) {
            out.print("\r\033[K");
        }
        out.println(line);
        out.flush();
    }

    void begin() {
        startNs = System.nanoTime();
    }

    /** Shows where the transfer stands: progress, goodput, share of each path, round trip, retransmissions. */
    void progress(JsonNode sender) {
        long nowNs = System.nanoTime();
        if (!isLive && lastNs != Long.MIN_VALUE && nowNs - lastNs < PLAIN_INTERVAL_NS) {
            return;
        }
        lastNs = nowNs;
        long checked = sender.path("checked").asLong();
        double seconds = Math.max(1e-3, (nowNs - startNs) * 1e-9);
        String line = String.format(
                Locale.ROOT,
                "[%s] %4d/%d MiB verified  %6.2f Gbit/s  paths %s %%  RTT %d us  retransmitted %d",
                bar(checked),
                checked,
                messages,
                checked * 8.388608e-3 / seconds,
                shares(sender.path("packets")),
                sender.path("rttUs").asLong(),
                sender.path("retransmitted").asLong());
        out.print(isLive ? "\r\033[K" + line : line + System.lineSeparator());
        out.flush();
    }

    private String bar(long checked) {
        int full = (int) (checked * BAR_CELLS / Math.max(1, messages));
        return "#".repeat(full) + "-".repeat(BAR_CELLS - full);
    }

    private static String shares(JsonNode packets) {
        long sum = 0;
        for (JsonNode path : packets) {
            sum += path.asLong();
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode path : packets) {
            text.append(text.isEmpty() ? "" : " ").append(sum == 0 ? 0 : path.asLong() * 100 / sum);
        }
        return text.toString();
    }
}
