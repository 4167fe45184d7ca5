// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** What stands at the end of a link: a switch, or a host of whatever kind. */
public interface Node {
    /** A packet has arrived whole; whoever takes it releases it or hands it on. */
    void onPacket(int packet, Link from, long nowPs);
}
