// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Registers meters under our prefix, keeps what they read alive (B81: a gauge whose object is collected turns NaN), and
 * refuses one name with two sets of labels (B95: one of them would vanish).
 */
final class MeterBook {
    static final String PREFIX = "metaroce_";

    private final MeterRegistry registry;
    private final AtomicLong errors;
    private final List<Reading> readings = new ArrayList<>();
    private final Map<String, TreeSet<String>> labelsOfName = new HashMap<>();

    MeterBook(MeterRegistry registry, AtomicLong errors) {
        this.registry = registry;
        this.errors = errors;
    }

    /** A number that only grows; exported with {@code _total}. */
    void counter(String name, String help, List<Tag> tags, DoubleSupplier source) {
        check(name, tags);
        Reading reading = reading(source);
        FunctionCounter.builder(PREFIX + name, reading, Reading::getAsDouble)
                .description(help)
                .tags(tags)
                .register(registry);
    }

    void gauge(String name, String help, List<Tag> tags, DoubleSupplier source) {
        check(name, tags);
        Reading reading = reading(source);
        Gauge.builder(PREFIX + name, reading, Reading::getAsDouble)
                .description(help)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private Reading reading(DoubleSupplier source) {
        Reading reading = new Reading(source, errors);
        readings.add(reading);
        return reading;
    }

    private void check(String name, List<Tag> tags) {
        TreeSet<String> labels = new TreeSet<>();
        tags.forEach(tag -> labels.add(tag.getKey()));
        TreeSet<String> known = labelsOfName.putIfAbsent(name, labels);
        if (known != null && !known.equals(labels)) {
            throw new IllegalStateException("metric " + name + " has labels " + known + " and " + labels);
        }
    }

    int size() {
        return readings.size();
    }
}
