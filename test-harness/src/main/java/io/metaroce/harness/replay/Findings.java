// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import java.util.ArrayList;
import java.util.List;

/** Broken rules and events, with their frames; the first of each kind are kept, all are counted. */
final class Findings {
    /** Frames kept of each broken rule. */
    static final int FRAMES_MAX = 10;
    /** Events and stalls kept in all. */
    static final int EVENTS_MAX = 200;

    private final long[] counts = new long[Judged.values().length];
    private final long[][] frames = new long[Judged.values().length][FRAMES_MAX];
    private final List<Event> events = new ArrayList<>();
    private long eventCount;

    /** Something worth knowing that breaks no rule. */
    record Event(long frame, long timeNs, String words) {}

    void add(Judged what, long frame) {
        int row = what.ordinal();
        if (counts[row] < FRAMES_MAX) {
            frames[row][(int) counts[row]] = frame;
        }
        counts[row]++;
    }

    /** Whether another event would still be kept: only then are words worth making. */
    boolean wantsEvent() {
        eventCount++;
        return events.size() < EVENTS_MAX;
    }

    void event(long frame, long timeNs, String words) {
        events.add(new Event(frame, timeNs, words));
    }

    long count(Judged what) {
        return counts[what.ordinal()];
    }

    long total() {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        return total;
    }

    /** The first frames in which a rule was broken. */
    List<Long> frames(Judged what) {
        List<Long> first = new ArrayList<>();
        for (int i = 0; i < Math.min(counts[what.ordinal()], FRAMES_MAX); i++) {
            first.add(frames[what.ordinal()][i]);
        }
        return first;
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    /** Events, kept or not. */
    long eventCount() {
        return eventCount;
    }
}
