// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * Serial number arithmetic (RFC 1982): the only place that knows how sequences wrap. Differences are meaningful while the
 * two numbers are less than half the range apart, which the windows and the 16 s idle limit of a path guarantee.
 */
public final class Serial {
    private Serial() {}

    /** Whether {@code a} is later than {@code b} in a 32-bit space. */
    public static boolean isAfter(int a, int b) {
        // MOP-SEQ-1
        return a - b > 0;
    }

    /** Whether {@code a} is earlier than {@code b} in a 32-bit space. */
    public static boolean isBefore(int a, int b) {
        return a - b < 0;
    }

    /** The later of two 32-bit numbers. */
    public static int latest(int a, int b) {
        return a - b > 0 ? a : b;
    }

    /** How far {@code a} is after {@code b} in an 8-bit space: 0 to 255, where 1 to 127 mean later. */
    public static int distance8(int a, int b) {
        return (a - b) & 0xff;
    }

    /** How far {@code a} is after {@code b} in a 16-bit space: 0 to 65,535, where 1 to 32,767 mean later. */
    public static int distance16(int a, int b) {
        return (a - b) & 0xffff;
    }
}
