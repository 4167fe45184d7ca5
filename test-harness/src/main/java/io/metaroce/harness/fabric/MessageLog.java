// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;

/** Keeps what happened to the messages of one or many endpoints, and asks to stop when as many as awaited are sent. */
public final class MessageLog implements EndpointListener {
    private static final int FAILURES_KEPT = 20;

    private final LongArrayList sentTimesNs = new LongArrayList();
    private final List<String> failures = new ArrayList<>();
    private final Runnable onAllSent;
    private final int awaited;
    private int told;
    private int failed;

    /**
     * @param awaited messages after whose completion {@code onAllSent} runs
     */
    public MessageLog(int awaited, Runnable onAllSent) {
        this.awaited = awaited;
        this.onAllSent = onAllSent;
    }

    @Override
    public void onSent(int tag, long nowNs) {
        sentTimesNs.addLong(nowNs);
        if (sentTimesNs.size() == awaited) {
            onAllSent.run();
        }
    }

    @Override
    public void onReceived(int tag, long nowNs) {
        told++;
    }

    @Override
    public void onFailed(String why, long nowNs) {
        failed++;
        if (failures.size() < FAILURES_KEPT) {
            failures.add(why);
        }
    }

    /** Messages acknowledged whole. */
    public int sent() {
        return sentTimesNs.size();
    }

    /** When the i-th completion came. */
    public long sentNs(int i) {
        return sentTimesNs.getLong(i);
    }

    /** Messages whose receiver heard of them. */
    public int told() {
        return told;
    }

    /** Failures of any kind; 0 in every run that passes. */
    public int failed() {
        return failed;
    }

    /** The first failures, in words. */
    public List<String> failures() {
        return List.copyOf(failures);
    }
}
