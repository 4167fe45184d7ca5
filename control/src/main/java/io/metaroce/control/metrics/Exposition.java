// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The two texts a scrape may ask for by Accept. */
enum Exposition {
    TEXT("text/plain; version=0.0.4; charset=utf-8"),
    OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    Exposition(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /** OpenMetrics if the client likes it at least as much as plain text; plain text for everyone else. */
    static Exposition of(@Nullable String accept) {
        if (accept == null) {
            return TEXT;
        }
        double openMetrics = -1;
        double text = -1;
        for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = range.trim().split(";", -1);
            String type = parts[0].trim();
            double quality = quality(parts);
            if (type.equals("application/openmetrics-text")) {
                openMetrics = Math.max(openMetrics, quality);
            } else if (type.equals("text/plain") || type.equals("text/*") || type.equals("*/*")) {
                text = Math.max(text, quality);
            }
        }
        return openMetrics > 0 && openMetrics >= text ? OPENMETRICS : TEXT;
    }

    /** Whether the client takes a compressed answer. */
    static boolean takesGzip(@Nullable String acceptEncoding) {
        if (acceptEncoding == null) {
            return false;
        }
        for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = coding.trim().split(";", -1);
            if (parts[0].trim().equals("gzip")) {
                return quality(parts) > 0;
            }
        }
        return false;
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].trim();
            if (parameter.startsWith("q=")) {
                try {
                    return Double.parseDouble(parameter.substring(2));
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 1;
    }
}
