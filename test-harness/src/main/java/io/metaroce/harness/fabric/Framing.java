// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** What surrounds a transport packet on the wire, and the ECN codes. */
public final class Framing {
    /** Preamble and start 8, Ethernet 14, IPv4 20, UDP 8, frame check 4, gap 12. */
    public static final int OVERHEAD_BYTES = 8 + 14 + 20 + 8 + 4 + 12;

    public static final int ECT_0 = 2;
    public static final int CE = 3;

    private Framing() {}
}
