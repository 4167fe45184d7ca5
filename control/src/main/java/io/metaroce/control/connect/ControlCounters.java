// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.concurrent.atomic.AtomicLongArray;

/** The control channel's numbers: the control thread writes, a scrape reads. */
public final class ControlCounters {
    private final AtomicLongArray values = new AtomicLongArray(ControlCounter.values().length);

    private volatile ControlEndpoint.Gauges gauges = new ControlEndpoint.Gauges(0, 0, 0);

    void increment(ControlCounter counter) {
        values.incrementAndGet(counter.ordinal());
    }

    public long get(ControlCounter counter) {
        return values.get(counter.ordinal());
    }

    void gauges(ControlEndpoint.Gauges newGauges) {
        gauges = newGauges;
    }

    /** What there was a few milliseconds ago of what comes and goes. */
    public ControlEndpoint.Gauges gauges() {
        return gauges;
    }
}
