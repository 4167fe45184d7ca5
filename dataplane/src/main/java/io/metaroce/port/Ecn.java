// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/** The two ECN bits of an IP header (RFC 3168, section 5), as they stand in a descriptor's flags. */
public final class Ecn {
    public static final int NOT_ECT = 0;
    public static final int ECT_1 = 1;
    public static final int ECT_0 = 2;
    public static final int CE = 3;
    public static final int MASK = 3;

    private Ecn() {}
}
