// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import org.jspecify.annotations.Nullable;

/** UDP destination ports that carry MOP: one for each lane of a host. */
public record PortRange(int first, int last) {
    private static final int PORT_MAX = 65_535;

    public boolean contains(int port) {
        return port >= first && port <= last;
    }

    /** Reads {@code 4795} or {@code 4795-4858}; null when it is neither. */
    public static @Nullable PortRange parse(String text) {
        int dash = text.indexOf('-');
        int first = port(dash < 0 ? text : text.substring(0, dash));
        int last = dash < 0 ? first : port(text.substring(dash + 1));
        return first < 0 || last < first ? null : new PortRange(first, last);
    }

    private static int port(String text) {
        if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int port = Integer.parseInt(text);
        return port >= 1 && port <= PORT_MAX ? port : -1;
    }
}
