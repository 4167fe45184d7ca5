// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

/** Says once a second how a timed run goes on. */
final class LiveLine implements Measurement.Progress {
    private static final long INTERVAL_NS = 1_000_000_000L;
    private static final double NS_PER_SECOND = 1e9;

    private final Screen screen;
    private final PerfTable table;
    private final long messageBytes;
    private boolean hasStarted;
    private long startNs;
    private long lastNs;
    private long lastMessages;

    LiveLine(Screen screen, PerfTable table, long messageBytes) {
        this.screen = screen;
        this.table = table;
        this.messageBytes = messageBytes;
    }

    @Override
    public void onProgress(long messages, long wrongBytes, long nowNs) {
        if (!hasStarted) {
            hasStarted = true;
            startNs = nowNs;
            lastNs = nowNs;
        }
        long sinceNs = nowNs - lastNs;
        if (sinceNs >= INTERVAL_NS) {
            double rate = (messages - lastMessages) * messageBytes * NS_PER_SECOND / sinceNs;
            screen.note(table.progress((nowNs - startNs) / NS_PER_SECOND, rate, wrongBytes));
            lastNs = nowNs;
            lastMessages = messages;
        }
    }
}
