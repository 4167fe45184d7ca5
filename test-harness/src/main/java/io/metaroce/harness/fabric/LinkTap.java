// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** Sees every packet whose transmission on a link begins. */
@FunctionalInterface
public interface LinkTap {
    void onPacket(Link link, int packet, long nowPs);
}
