// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

/** What a counter's number counts, and what it must be multiplied with to be in a metric's base unit. */
public enum CounterUnit {
    COUNT(1),
    PACKETS(1),
    BYTES(1),
    NANOSECONDS(1e-9);

    private final double toBaseUnit;

    CounterUnit(double toBaseUnit) {
        this.toBaseUnit = toBaseUnit;
    }

    /** Factor from the stored number to the metric's base unit; nanoseconds are exported as seconds. */
    public double toBaseUnit() {
        return toBaseUnit;
    }
}
