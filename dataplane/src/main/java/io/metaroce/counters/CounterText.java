// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

/** What the rows of all tables hold. */
record CounterText(
        String metricName, String labelName, String labelValue, CounterKind kind, CounterUnit unit, String help) {

    /** Drops are one metric over lanes and connections, told apart by reason. */
    static CounterText ofDrop(DropReason reason) {
        return new CounterText(
                "rx_dropped_packets",
                "reason",
                reason.label(),
                CounterKind.COUNTER,
                CounterUnit.PACKETS,
                reason.help());
    }
}
