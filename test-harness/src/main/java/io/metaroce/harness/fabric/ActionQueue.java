// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.PriorityQueue;

/** The rare things that happen at a time of their own: schedules, pauses, packets held back. In order of time, then asking. */
final class ActionQueue implements EventSource {
    /** What is to happen. */
    @FunctionalInterface
    interface Action {
        void at(long nowPs);
    }

    private record Entry(long timePs, long number, Action action) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(timePs, other.timePs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long number;

    void add(long timePs, Action action) {
        entries.add(new Entry(timePs, number++, action));
    }

    long nextPs() {
        Entry next = entries.peek();
        return next == null ? EventHeap.NEVER : next.timePs;
    }

    @Override
    public void onEvent(long nowPs) {
        while (nextPs() <= nowPs) {
            entries.remove().action.at(nowPs);
        }
    }
}
