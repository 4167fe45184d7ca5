// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.Arrays;

/**
 * Priority flow control of one switch: bytes are accounted to the link they came in by; one that exceeds the upper threshold
 * is paused until it falls below the lower one. The frame takes as long as the cable.
 */
final class PauseControl {
    private final Fabric fabric;
    private final long pauseFromBytes;
    private final long resumeBelowBytes;
    private long[] heldBytes = new long[16];
    private boolean[] isPaused = new boolean[16];

    PauseControl(Fabric fabric, long pauseFromBytes, long resumeBelowBytes) {
        this.fabric = fabric;
        this.pauseFromBytes = pauseFromBytes;
        this.resumeBelowBytes = resumeBelowBytes;
    }

    void onQueued(int ingress, int bytes, long nowPs) {
        if (ingress == PacketPool.NONE) {
            return;
        }
        if (ingress >= heldBytes.length) {
            int length = Math.max(ingress + 1, heldBytes.length * 2);
            heldBytes = Arrays.copyOf(heldBytes, length);
            isPaused = Arrays.copyOf(isPaused, length);
        }
        heldBytes[ingress] += bytes;
        if (!isPaused[ingress] && heldBytes[ingress] > pauseFromBytes) {
            isPaused[ingress] = true;
            fabric.pauseLater(fabric.link(ingress), true, nowPs);
        }
    }

    void onLeft(int ingress, int bytes, long nowPs) {
        if (ingress == PacketPool.NONE) {
            return;
        }
        heldBytes[ingress] -= bytes;
        if (isPaused[ingress] && heldBytes[ingress] < resumeBelowBytes) {
            isPaused[ingress] = false;
            fabric.pauseLater(fabric.link(ingress), false, nowPs);
        }
    }
}
