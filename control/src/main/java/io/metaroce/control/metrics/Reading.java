// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * One number for a scrape. B90, B93: a source that fails leaves the last good value, is counted, and harms no other number;
 * there is never a NaN.
 */
final class Reading implements DoubleSupplier {
    private final DoubleSupplier source;
    private final AtomicLong errors;
    private volatile double last;

    Reading(DoubleSupplier source, AtomicLong errors) {
        this.source = source;
        this.errors = errors;
    }

    @Override
    public double getAsDouble() {
        try {
            double value = source.getAsDouble();
            if (Double.isFinite(value)) {
                last = value;
            } else {
                errors.incrementAndGet();
            }
        } catch (RuntimeException e) {
            errors.incrementAndGet();
        }
        return last;
    }
}
