// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.Locale;

/** Numbers for people and files, the same on every machine. */
final class Text {
    private static final double WHOLE_MAX = 1e15;

    private Text() {}

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "none";
        }
        if (value == Math.rint(value) && Math.abs(value) < WHOLE_MAX) {
            return Long.toString((long) value);
        }
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 1_000 ? "%.1f" : size >= 1 ? "%.3f" : "%.5f", value);
    }
}
